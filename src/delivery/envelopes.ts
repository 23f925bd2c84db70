import { nameIn } from "../model/address.js";
import { HUB_ID, HUMAN_ID } from "../model/agent.js";
import type { Message } from "../model/message.js";
import { tagOf } from "../model/message-tag.js";
import { quoteBlock } from "../model/others-words.js";
import { type ToolsetName, toolsetTraits } from "../model/toolset.js";
import { typedWords } from "../model/typed-message.js";

/*
 * What the model reads around a message; what is stored never has it. A message begins with a head that names its sender
 * and ends with a line that holds a mark. The mark is new in each prompt and taken out of every body, so that no body
 * can end before its end, nor another begin in it.
 */

export type EnvelopeStyle = "from-agent" | "short";

/** How the messages of one prompt are told apart, and the tools of its reader, where the hub gave it those. */
export type EnvelopeForm = { style: EnvelopeStyle; mark: string; tools?: ToolsetName | undefined };

export function envelop(message: Message, form: EnvelopeForm): string {
  const { style, mark } = form;
  return [
    `${head(message, style)}${bodyOf(message, mark)}`,
    endOf(message, mark),
    ...notesOn(message, form),
  ].join("\n");
}

/** The person's, where nobody else speaks in the same prompt, so that there is no doubt whose words they are. */
export function bareWords(message: Message, form: EnvelopeForm): string {
  return [bodyOf(message), ...notesOn(message, form)].join("\n\n");
}

function head(message: Message, style: EnvelopeStyle): string {
  const { from, fromName } = message;
  if (from === HUMAN_ID) return "[From user]:\n";
  if (from === HUB_ID) return "[From hub]:\n";
  if (message.trust === "peer") return peerHead(message);
  return style === "short" ? `[${fromName}]: ` : `[From agent "${fromName}"]:\n`;
}

/** Of another hub, as document 004 has it. */
function peerHead({ fromLabel, fromName }: Message): string {
  return `[Agent] ${fromLabel ?? fromName}: `;
}

function endOf(message: Message, mark: string): string {
  return `[end ${tagOf(message)} ${mark}]`;
}

/** The text with its context, and nothing in it that passes for a line of ours. */
export function bodyOf(message: Message, mark?: string): string {
  const { content, context, fromName } = message;
  const said = saidIn(message, mark);
  const quoted = quoteBlock(content, { sender: nameIn(fromName), mark });
  const words = said === undefined ? quoted : content === "" ? said : `${said}\n${quoted}`;
  return context === undefined || context === ""
    ? words
    : `${words}\n\nContext:\n${quoteBlock(context, { mark })}`;
}

/** What its fields say, in our words and on one line. */
function saidIn({ typed }: Message, mark: string | undefined): string | undefined {
  const words = typed && typedWords(typed)?.replaceAll(/\s+/g, " ");
  return mark === undefined ? words : words?.replaceAll(mark, "");
}

/** Below the end, in our words: whom to call back, where the reader's tools go by sessions, and what to do with a request. */
function notesOn(message: Message, form: EnvelopeForm): string[] {
  const { tools = "huddle" } = form;
  const isAgents = message.from !== HUMAN_ID && message.from !== HUB_ID;
  const session =
    isAgents && toolsetTraits[tools].bySession
      ? [`(Huddle: source: ${message.source}; fromSession: ${message.from})`]
      : [];
  return [...session, ...claimNote(message, form)];
}

/** None for a reader that cannot claim anything. */
export function claimNote({ type, requestId }: Message, { tools = "huddle" }: EnvelopeForm): string[] {
  if (requestId === undefined || (type !== "request" && type !== "nudge")) return [];
  if (!toolsetTraits[tools].claims) return [];
  return [
    `(Huddle: anyone may take this request on. Claim it first: claim_request with request_id ${requestId}.)`,
  ];
}

/** What a new task of an agent begins with, when others have written to it meanwhile. */
export function taskStart(others: readonly Message[], task: Message, form: EnvelopeForm): string {
  const { mark } = form;
  const end = task.from === HUMAN_ID ? [] : [endOf(task, mark), ...notesOn(task, form)];
  const start = [`Your task: ${bodyOf(task, mark)}`, ...end];
  if (others.length === 0) return start.join("\n");
  const mail = others.flatMap((message) => {
    const to = message.to.length === 1 && message.toName === message.to[0]?.name ? "you" : message.toName;
    const from = message.trust === "peer" ? peerHead(message) : `[${message.fromName} → ${to}] `;
    return [`${from}${bodyOf(message, mark)}`, endOf(message, mark), ...notesOn(message, form)];
  });
  return ["--- Messages from other agents ---", ...mail, "--- End messages ---", "", ...start].join("\n");
}
