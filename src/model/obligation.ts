import type { AgentId } from "./agent.js";
import type { Message } from "./message.js";
import { quoteLine } from "./others-words.js";

/** What an agent may owe: a task, a request that it claimed, work that it said it is on, the answer to a question. */
export const obligationKinds = ["task", "request", "question", "claim"] as const;
type ObligationKind = (typeof obligationKinds)[number];

/** Times are wall time. */
export type Obligation = {
  agent: AgentId;
  /** Whom it is owed to; null for a work claim. */
  to: AgentId | null;
  /** As that one was called when it was taken on. */
  toName: string | null;
  kind: ObligationKind;
  /** The id of the task, request or message; of a work claim, the work. */
  ref: string;
  since: number;
  due: number | null;
  /** What it is about, as it was written. */
  words: string;
  /** Of the message by which the agent has it, or is to have it. */
  seq: number | null;
  /** By which a model names that message, where it answers with a reply. */
  tag?: string;
};

/** How far back questions are looked for, and how many of one agent. */
export const QUESTION_MS = 24 * 60 * 60_000;
export const QUESTIONS_MOST = 20;

/** Whether a message is a question: it asks for attention, and its last line that is not empty ends with a question mark. */
export function isQuestion({ type, attention, taskId, content }: Message): boolean {
  return type === "message" && attention !== "fyi" && taskId === undefined && /[?？]$/u.test(ending(content));
}

/** The line that asks. */
export function questionIn(content: string): string {
  return (
    content
      .trimEnd()
      .split(/[\r\n]+/u)
      .at(-1) ?? ""
  );
}

/** Its last characters; a message can be long, and most are no questions. */
function ending(content: string): string {
  return content.trimEnd().slice(-2);
}

const WORDS_MOST = 80;
const TEXT_MOST = 200;
/** No more of a long text is looked at. */
const READ_MOST = 2000;

/** What it is about, on one line. */
export function obligationText(words: string, most = TEXT_MOST): string {
  return quoteLine(words.slice(0, READ_MOST), most);
}

/** An obligation under the name that its reader knows the other one by. */
export type NamedObligation = Pick<Obligation, "kind" | "ref" | "due" | "words" | "tag"> & {
  to: string | null;
};

/** On one line, for whoever owes it. */
export function describeObligation({ kind, ref, to, due, words, tag }: NamedObligation): string {
  const until = due === null ? "" : `, until ${new Date(due).toISOString().slice(0, 16)}Z`;
  const said = `"${obligationText(words, WORDS_MOST)}"`;
  switch (kind) {
    case "task":
      return `the task ${ref} of ${to}${until}: ${said}`;
    case "request":
      return `an answer to the request ${ref} of ${to}, which you claimed: ${said}`;
    case "question":
      return `an answer to ${tag ?? ref} of ${to}: ${said}`;
    case "claim":
      return `the work that you claimed${until}: ${said}`;
  }
}
