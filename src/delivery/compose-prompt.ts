import type { OfferedMessage } from "../hub/commands/offer-messages.js";
import type { TurnMessage } from "../hub/commands/offer-turn.js";
import { HUB_ID, HUMAN_ID } from "../model/agent.js";
import type { Message } from "../model/message.js";
import { tagOf } from "../model/message-tag.js";
import { quoteLine } from "../model/others-words.js";
import { holdsOurs } from "../model/our-lines.js";
import { toolsetTraits } from "../model/toolset.js";
import { OWN_FOLDER } from "../runtime/fs/own-folder.js";
import type { Prompt } from "../runtime/runtime.js";
import { bareWords, bodyOf, claimNote, type EnvelopeForm, envelop, taskStart } from "./envelopes.js";

/** Who the agent is and what it owes; `anew` when it turns out that it has nothing of its session. */
export type PromptReminder = { text: string | undefined; anew: string | undefined; count: number };

export type PromptParts = {
  turn: string;
  messages: readonly TurnMessage[];
  /** How many more wait in the inbox. */
  more: number;
  /** What it was at when it was interrupted. */
  interrupted: readonly Message[];
  /** Its history has nothing of what it was interrupted at, so that it is told again. */
  forgotten?: boolean;
  /** Other agents to write to, when the first prompt is to name them. */
  roster: readonly string[];
  /** For the first prompt after it was started again. */
  reminder?: PromptReminder | undefined;
  form: EnvelopeForm;
  /** Without tools to read its mail by, as in a pane that the person started, it gets a file with what is longer than a line. */
  hasTools?: boolean;
};

/** A pane is only ever given one line, shorter than this. */
const LINE_MOST = 150;
/** A message that is no longer is told whole where it is only named. */
export const GIST_MOST = 100;
/** Fewer characters of a message tell nothing of it. */
const GIST_LEAST = 20;

/** `pointer`: the line does not hold the mail itself, only that it is there. */
type ComposedPrompt = Prompt & { pointer: boolean };

/** One turn's input: all of its mail, in order, each under its sender's name. */
export function composePrompt(parts: PromptParts): ComposedPrompt {
  const { turn, messages, reminder } = parts;
  const isOther = messages.some(({ goesOn }) => goesOn === true) || reminder?.anew !== reminder?.text;
  const anew = isOther ? { anew: composeText(asIfNew(parts)) } : {};
  return { turn, text: composeText(parts), ...anew, ...composeLine(parts), tag: tagOfTurn(messages) };
}

function asIfNew(parts: PromptParts): PromptParts {
  const { reminder, messages } = parts;
  return {
    ...parts,
    messages: messages.map((offered) => ({ ...offered, goesOn: false })),
    ...(reminder === undefined ? {} : { reminder: { ...reminder, text: reminder.anew } }),
  };
}

function composeText(parts: PromptParts): string {
  const { more, roster, reminder, form, hasTools = true } = parts;
  const cut = parts.messages.filter(({ goesOn }) => goesOn === true);
  const messages = parts.messages.filter(({ goesOn }) => goesOn !== true);
  const bare = messages.every(({ message }) => message.from === HUMAN_ID);
  const say = ({ message, repeated }: OfferedMessage) =>
    note(repeated, bare ? bareWords(message, form) : envelop(message, form));
  const task = messages.findLast(({ message }) => message.taskId !== undefined);
  const mail = task === undefined ? messages.map(say) : startOf(task, messages, say, form);
  return [
    ...(reminder?.text === undefined ? [] : [reminder.text]),
    ...rosterNote(roster, form),
    ...cutNote(cut, messages.length > 0),
    ...interruptNote(parts),
    ...mail,
    ...(more > 0 ? [moreNote(more, hasTools)] : []),
  ].join("\n\n");
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

function rosterNote(roster: readonly string[], { tools = "huddle" }: EnvelopeForm): string[] {
  if (roster.length === 0) return [];
  const { writes } = toolsetTraits[tools];
  return [`(Huddle: the other agents here are ${roster.join(", ")}. Write to them with ${writes}.)`];
}

/** What it was at when it was paused or the hub ended under it, and has in its history. */
function cutNote(cut: readonly TurnMessage[], isMore: boolean): string[] {
  if (cut.length === 0) return [];
  const it = cut.length === 1 ? "it" : "them";
  const next = isMore
    ? `Read what follows first, then go on with ${it} if that still applies.`
    : `Go on with ${it} where you were; what you have done already is done.`;
  const how = cut.every(({ paused }) => paused === true) ? "paused" : "cut by a restart of the hub";
  const what = nameAll(cut.map(({ message }) => message));
  return [`(Huddle: you were ${how} while handling ${what}. ${next})`];
}

function interruptNote({ interrupted, forgotten = false, form }: PromptParts): string[] {
  if (interrupted.length === 0) return [];
  if (!forgotten) {
    return [
      `(Huddle: you were interrupted while handling ${nameAll(interrupted)}. Read what follows first, then go on with it if it still applies.)`,
    ];
  }
  const what = interrupted.length === 1 ? "this message" : `these ${interrupted.length} messages`;
  return [
    `(Huddle: you were interrupted while handling ${what}. Read what follows below first, then go on with it if it still applies.)`,
    ...interrupted.map((message) => envelop(message, form)),
    "(Huddle: what follows is new.)",
  ];
}

function nameAll(messages: readonly Message[]): string {
  return messages.map((message) => `${senderOf(message)}: "${gist(message)}"`).join("; ");
}

function senderOf({ from, fromName }: Message): string {
  return from === HUMAN_ID ? "the user's message" : `the message of "${fromName}"`;
}

function gist({ content }: Message): string {
  return quoteLine(content, GIST_MOST);
}

function moreNote(more: number, hasTools: boolean): string {
  const rest = hasTools ? "check_messages shows them" : "they come next";
  return `(Huddle: +${more} more ${more === 1 ? "message" : "messages"} for you; ${rest}.)`;
}

type ComposedLine = { line: string; pointer: boolean; file?: string };

function composeLine(parts: PromptParts): ComposedLine {
  const { messages, interrupted, more, form, hasTools = true } = parts;
  const [only] = messages;
  const tag = tagOfTurn(messages);
  if (messages.every(({ goesOn }) => goesOn === true) && more === 0) {
    const what = messages.length === 1 ? "this message" : `${messages.length} messages`;
    const it = messages.length === 1 ? "it" : "them";
    const isPaused = messages.every(({ paused }) => paused === true);
    const how = isPaused ? "you were paused" : "the hub was restarted";
    const line = `${tag}: ${how} while you handled ${what}; go on with ${it} where you were.`;
    if (line.length < LINE_MOST) return { line: withOwed(line, parts), pointer: false };
  }
  const isAlone = messages.length === 1 && interrupted.length === 0 && more === 0;
  if (only !== undefined && isAlone) {
    const line = `${tag}: ${bodyOf(only.message)}`;
    const isWhole = line.length < LINE_MOST && claimNote(only.message, form).length === 0;
    // A screen wraps the line anywhere: what would read as ours where a row begins is not typed.
    if (isWhole && !/[\p{Cc}\u2028\u2029]/u.test(line) && !holdsOurs(line)) return { line, pointer: false };
  }
  if (!hasTools) {
    const file = `mail-${tag.slice(-8)}.txt`;
    const what = messages.length === 1 ? "a message is for you" : `${messages.length} messages are for you`;
    // It holds all of the turn's mail, so that nothing is left to fetch.
    return { line: `${tag}: ${what}; read the file ${OWN_FOLDER}/${file}`, pointer: false, file };
  }
  const count = messages.length + more;
  return { line: withOwed(withCut(pointerLine(tag, count), parts), parts), pointer: true };
}

/** That mail is there. */
export function pointerLine(tag: string, count: number): string {
  const what = count === 1 ? "a message waits for you" : `${count} messages wait for you`;
  return `${tag}: ${what}; call check_messages to read ${count === 1 ? "it" : "them"}.`;
}

/** As much of what it was interrupted at, and has forgotten, as a line can hold. */
function withCut(line: string, { interrupted, forgotten = false }: PromptParts): string {
  const [cut] = interrupted;
  const before = " You were interrupted at: ";
  const room = LINE_MOST - line.length - before.length - 1;
  if (!forgotten || cut === undefined || room < GIST_LEAST) return line;
  const whole = `${line}${before}${quoteLine(cut.content, room)}`;
  return whole.length < LINE_MOST && !holdsOurs(whole.slice(line.length)) ? whole : line;
}

/** That it owes something, where a line has room for that and it has a tool to look. */
function withOwed(line: string, { reminder, form, hasTools = true }: PromptParts): string {
  const count = reminder?.count ?? 0;
  const { obligations } = toolsetTraits[form.tools ?? "huddle"];
  if (count === 0 || !hasTools || !obligations) return line;
  const whole = `${line} You owe ${count} ${count === 1 ? "thing" : "things"}: call get_obligations.`;
  return whole.length < LINE_MOST ? whole : line;
}

/** The newest message stands for all: its tag is on no screen yet. */
function tagOfTurn(messages: readonly OfferedMessage[]): string {
  const newest = messages.at(-1);
  return newest === undefined ? "MSG_HUB_00000000" : tagOf(newest.message);
}
