import type { OfferedMessage } from "../hub/commands/offer-messages.js";
import { HUB_ID, HUMAN_ID } from "../model/agent.js";
import type { Message } from "../model/message.js";
import { tagOf } from "../model/message-tag.js";
import { quoteLine } from "../model/others-words.js";
import { holdsOurs } from "../model/our-lines.js";
import { toolsetTraits } from "../model/toolset.js";
import type { Prompt } from "../runtime/runtime.js";
import { bareWords, bodyOf, claimNote, type EnvelopeForm, envelop, taskStart } from "./envelopes.js";

export type PromptParts = {
  turn: string;
  messages: readonly OfferedMessage[];
  /** How many more wait in the inbox. */
  more: number;
  /** What it was at when it was interrupted. */
  interrupted: readonly Message[];
  /** Other agents to write to, when the first prompt is to name them. */
  roster: readonly string[];
  form: EnvelopeForm;
};

/** A pane is only ever given one line, shorter than this. */
const LINE_MOST = 150;
const GIST_MOST = 100;

/** `pointer`: the line does not hold the mail itself, only that it is there. */
type ComposedPrompt = Prompt & { pointer: boolean };

/** One turn's input: all of its mail, in order, each under its sender's name. */
export function composePrompt(parts: PromptParts): ComposedPrompt {
  const { turn, messages } = parts;
  return { turn, text: composeText(parts), ...composeLine(parts), tag: tagOfTurn(messages) };
}

function composeText({ messages, more, interrupted, roster, form }: PromptParts): string {
  const bare = messages.every(({ message }) => message.from === HUMAN_ID);
  const say = ({ message, repeated }: OfferedMessage) =>
    note(repeated, bare ? bareWords(message, form) : envelop(message, form));
  const task = messages.findLast(({ message }) => message.taskId !== undefined);
  const mail = task === undefined ? messages.map(say) : startOf(task, messages, say, form);
  return [...preface(interrupted, roster, form), ...mail, ...(more > 0 ? [moreNote(more)] : [])].join("\n\n");
}

/** A prompt that is assigned, after what agents said meanwhile; the person and the hub keep their own places before it. */
function startOf(
  task: OfferedMessage,
  messages: readonly OfferedMessage[],
  say: (offered: OfferedMessage) => string,
  form: EnvelopeForm,
): string[] {
  const others = messages.filter((offered) => offered !== task);
  const isSaid = ({ message: { from, taskId } }: OfferedMessage) =>
    from !== HUMAN_ID && from !== HUB_ID && taskId === undefined;
  const said = others.filter(isSaid).map(({ message }) => message);
  const apart = others.filter((offered) => !isSaid(offered)).map(say);
  return [...apart, taskStart(said, task.message, form)];
}

function note(repeated: boolean, text: string): string {
  return repeated ? `(Huddle: the next message may have reached you before.)\n${text}` : text;
}

function preface(
  interrupted: readonly Message[],
  roster: readonly string[],
  { tools = "huddle" }: EnvelopeForm,
): string[] {
  const notes: string[] = [];
  if (roster.length > 0) {
    const { writes } = toolsetTraits[tools];
    notes.push(`(Huddle: the other agents here are ${roster.join(", ")}. Write to them with ${writes}.)`);
  }
  if (interrupted.length > 0) {
    const what = interrupted.map((message) => `${senderOf(message)}: "${gist(message)}"`).join("; ");
    notes.push(
      `(Huddle: you were interrupted while handling ${what}. Read what follows first, then go on with it if it still applies.)`,
    );
  }
  return notes;
}

function senderOf({ from, fromName }: Message): string {
  return from === HUMAN_ID ? "the user's message" : `the message of "${fromName}"`;
}

function gist({ content }: Message): string {
  return quoteLine(content, GIST_MOST);
}

function moreNote(more: number): string {
  return `(Huddle: +${more} more ${more === 1 ? "message" : "messages"} for you; check_messages shows them.)`;
}

function composeLine({ messages, interrupted, more, form }: PromptParts): { line: string; pointer: boolean } {
  const [only] = messages;
  const tag = tagOfTurn(messages);
  if (messages.length === 1 && only !== undefined && interrupted.length === 0 && more === 0) {
    const line = `${tag}: ${bodyOf(only.message)}`;
    const isWhole = line.length < LINE_MOST && claimNote(only.message, form).length === 0;
    // A screen wraps the line anywhere: what would read as ours where a row begins is not typed.
    if (isWhole && !/[\p{Cc}\u2028\u2029]/u.test(line) && !holdsOurs(line)) return { line, pointer: false };
  }
  const count = messages.length + more;
  const what = count === 1 ? "a message waits for you" : `${count} messages wait for you`;
  return {
    line: `${tag}: ${what}; call check_messages to read ${count === 1 ? "it" : "them"}.`,
    pointer: true,
  };
}

/** The newest message stands for all: its tag is on no screen yet. */
function tagOfTurn(messages: readonly OfferedMessage[]): string {
  const newest = messages.at(-1);
  return newest === undefined ? "MSG_HUB_00000000" : tagOf(newest.message);
}
