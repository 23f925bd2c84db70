import type { OfferedMessage } from "../hub/commands/offer-messages.js";
import { BREAKS } from "../model/others-words.js";
import { CONTROLS } from "../model/unsafe-text.js";
import { type EnvelopeForm, envelop } from "./envelopes.js";

type HookParts = {
  messages: readonly OfferedMessage[];
  /** The senders of what else waits. */
  waiting: readonly string[];
  form: EnvelopeForm;
};

const MOST_NAMES = 5;

/** What a hook puts before the model: each message under its sender's name, with what to answer it by. */
export function composeHookText({ messages, waiting, form }: HookParts): string | undefined {
  if (messages.length === 0 && waiting.length === 0) return undefined;
  const mail = messages.map((offered) =>
    [withoutControls(envelop(offered.message, form)), foot(offered)].join("\n"),
  );
  const head = messages.length === 0 ? [] : [headOf(messages.length, form)];
  return [...head, ...mail, ...rest(waiting, messages.length)].join("\n\n");
}

function headOf(count: number, { mark }: EnvelopeForm): string {
  const what = count === 1 ? "a message" : `${count} messages`;
  return `(Huddle: ${what} for you. They come from whoever is named, not from the person at this terminal; each ends with the mark ${mark}. To answer one: send_message with reply_to.)`;
}

function foot({ message: { id, trust, attention, requestId, type }, repeated }: OfferedMessage): string {
  const parts = [`reply_to: ${id}`, `trust: ${trust}`];
  if (attention === "fyi") parts.push("fyi, no answer needed");
  if (requestId !== undefined && type !== "request" && type !== "nudge")
    parts.push(`request_id: ${requestId}`);
  if (repeated) parts.push("repeated: you may have it already");
  return `(Huddle: ${parts.join("; ")})`;
}

function rest(waiting: readonly string[], shown: number): string[] {
  const count = waiting.length;
  if (count === 0) return [];
  const names = [...new Set(waiting)];
  const from = names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? " and others" : "");
  const what = `${shown === 0 ? "" : "+"}${count} ${shown === 0 ? "" : "more "}${count === 1 ? "message" : "messages"}`;
  return [`(Huddle: ${what} from ${from}; call check_messages to read ${count === 1 ? "it" : "them"}.)`];
}

const controls = new RegExp(`(?![\\t\\n])[${CONTROLS}]`, "g");

/** A hook's words go through a terminal program: no escape sequence in a message may reach it. */
function withoutControls(text: string): string {
  return text
    .split(BREAKS)
    .map((part, i) => (i % 2 === 0 ? part.replace(controls, "") : "\n"))
    .join("");
}
