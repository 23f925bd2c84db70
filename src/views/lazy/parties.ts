import type { AgentId } from "../../model/agent.js";
import type { Message } from "../../model/message.js";
import { endOf } from "../../model/message-tag.js";

/*
 * Whose a message is, as small numbers: of an agent's id only the end is kept. Two agents may share a number, and what is for
 * many stands once for all of them, so whoever looks reads the message as well.
 */

/** What is for many stands once for all of them, not once for each. */
export const MANY = 0;

export function partyOf(agent: AgentId): number {
  return Number.parseInt(endOf(agent), 16);
}

/** Requests are everybody's, also of those who came later. */
export function partiesOf({ from, to, type }: Message): number[] {
  const [only] = to;
  const isPublic = to.length > 1 || type === "request" || type === "nudge";
  return [
    partyOf(from),
    ...(isPublic ? [MANY] : []),
    ...(to.length === 1 && only ? [partyOf(only.agent)] : []),
  ];
}
