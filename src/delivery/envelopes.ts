import { HUB_ID, HUMAN_ID } from "../model/agent.js";
import type { Message } from "../model/message.js";
import { quoteLookalikes, safeWords } from "../model/quote-lookalikes.js";

/** What the model reads around a message; what is stored never has it. */
export type EnvelopeStyle = "from-agent" | "short";

/**
 * A message as its reader gets it. The person's is bare when `bare`: nobody else speaks in that prompt, so that there is no
 * doubt whose words they are.
 */
export function envelop(message: Message, style: EnvelopeStyle, bare: boolean): string {
  const body = bodyOf(message);
  if (message.from === HUMAN_ID) return bare ? body : `[From user]:\n${body}`;
  if (message.from === HUB_ID) return `[From hub]:\n${body}`;
  return style === "short"
    ? `[${message.fromName}]: ${body}`
    : `[From agent "${message.fromName}"]:\n${body}`;
}

/** The text, with what belongs to it, and nothing in it that passes for a line of ours. */
export function bodyOf(message: Message): string {
  const parts = [safeWords(message.content, message.fromName)];
  if (message.context !== undefined && message.context !== "") {
    parts.push(`Context:\n${quoteLookalikes(message.context)}`);
  }
  if (message.requestId !== undefined && (message.type === "request" || message.type === "nudge")) {
    parts.push(
      `(Huddle: anyone may take this request on. Claim it first: claim_request with request_id ${message.requestId}.)`,
    );
  }
  return parts.join("\n\n");
}

/** What a new task of an agent begins with, when others have written to it meanwhile. */
export function taskStart(others: readonly Message[], task: string): string {
  if (others.length === 0) return `Your task: ${task}`;
  const lines = others.map((message) => {
    const to = message.to.length === 1 && message.toName === message.to[0]?.name ? "you" : message.toName;
    return `[${message.fromName} → ${to}] ${bodyOf(message)}`;
  });
  return [
    "--- Messages from other agents ---",
    ...lines,
    "--- End messages ---",
    "",
    `Your task: ${task}`,
  ].join("\n");
}
