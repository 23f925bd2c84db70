import { deliveryTo, type Mail } from "./mail.js";
import { isFrom } from "./message-kind.js";

/** To the agent, and not handed out yet. */
export function isWaiting(mail: Mail, agent: { id: string; name: string }): boolean {
  if (isFrom(mail.message, agent)) return false;
  const state = deliveryTo(mail, agent.name)?.state;
  return state === "accepted" || state === "held";
}
