import type { HistoryMessage } from "../hub/history.js";
import type { Mail } from "./bubble/mail.js";

const known = new WeakMap<HistoryMessage, Mail>();

/** The same object for the same message, so that what did not change is not drawn again. */
export function toMail(entry: HistoryMessage): Mail {
  const before = known.get(entry);
  if (before !== undefined) return before;
  const { deliveries, recipients, ...message } = entry;
  const mail: Mail = { message, deliveries, recipients };
  known.set(entry, mail);
  return mail;
}
