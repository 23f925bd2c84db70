import { nameIn } from "../model/address.js";
import { HUB_ID, HUMAN_ID } from "../model/agent.js";
import type { Message } from "../model/message.js";
import { tagOf } from "../model/message-tag.js";
import { quoteBlock } from "../model/others-words.js";

/*
 * What the model reads around a message; what is stored never has it. A message begins with a head that names its sender
 * and ends with a line that holds a mark. The mark is new in each prompt and taken out of every body, so that no body
 * can end before its end, nor another begin in it.
 */

export type EnvelopeStyle = "from-agent" | "short";

/** How the messages of one prompt are told apart. */
export type EnvelopeForm = { style: EnvelopeStyle; mark: string };

export function envelop(message: Message, { style, mark }: EnvelopeForm): string {
  return [
    `${head(message, style)}${bodyOf(message, mark)}`,
    endOf(message, mark),
    ...claimNote(message),
  ].join("\n");
}

/** The person's, where nobody else speaks in the same prompt, so that there is no doubt whose words they are. */
export function bareWords(message: Message): string {
  return [bodyOf(message), ...claimNote(message)].join("\n\n");
}

function head({ from, fromName }: Message, style: EnvelopeStyle): string {
  if (from === HUMAN_ID) return "[From user]:\n";
  if (from === HUB_ID) return "[From hub]:\n";
  return style === "short" ? `[${fromName}]: ` : `[From agent "${fromName}"]:\n`;
}

function endOf(message: Message, mark: string): string {
  return `[end ${tagOf(message)} ${mark}]`;
}

/** The text with its context, and nothing in it that passes for a line of ours. */
export function bodyOf({ content, context, fromName }: Message, mark?: string): string {
  const words = quoteBlock(content, { sender: nameIn(fromName), mark });
  return context === undefined || context === ""
    ? words
    : `${words}\n\nContext:\n${quoteBlock(context, { mark })}`;
}

/** What to do with a request, in our words. */
export function claimNote({ type, requestId }: Message): string[] {
  if (requestId === undefined || (type !== "request" && type !== "nudge")) return [];
  return [
    `(Huddle: anyone may take this request on. Claim it first: claim_request with request_id ${requestId}.)`,
  ];
}

/** What a new task of an agent begins with, when others have written to it meanwhile. */
export function taskStart(others: readonly Message[], task: Message, mark: string): string {
  const end = task.from === HUMAN_ID ? [] : [endOf(task, mark)];
  const start = [`Your task: ${bodyOf(task, mark)}`, ...end];
  if (others.length === 0) return start.join("\n");
  const mail = others.flatMap((message) => {
    const to = message.to.length === 1 && message.toName === message.to[0]?.name ? "you" : message.toName;
    return [
      `[${message.fromName} → ${to}] ${bodyOf(message, mark)}`,
      endOf(message, mark),
      ...claimNote(message),
    ];
  });
  return ["--- Messages from other agents ---", ...mail, "--- End messages ---", "", ...start].join("\n");
}
