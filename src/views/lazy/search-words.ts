import { type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { EventData } from "../../model/events.js";
import { isBroadcast } from "../../model/mail-visibility.js";
import type { Message, MessageSource } from "../../model/message.js";
import { prefixOf, type WantedType } from "../../model/search-query.js";

/*
 * How a message is indexed and how a question is put, in the words of FTS5. A message has two columns: its text, and its
 * marks: who sent it to whom, its source and its type, each as one word. So every question is one walk through the index, newest
 * first, however common its words are.
 */

export type IndexedMessage = { text: string; marks: string };

export type Wanted = {
  terms: readonly string[];
  /** Names or ids, any of which. */
  from: readonly string[];
  to: readonly string[];
  types: readonly WantedType[];
  sources: readonly MessageSource[];
  betweenAgents: boolean;
  /** Whose mail, beside the broadcasts; undefined is everybody's. */
  reader: AgentId | undefined;
};

/** Beyond this many, a broadcast is found as what it was addressed to, not by each of its recipients. */
const MEMBERS = 200;
const BROADCAST = "b";
const BETWEEN_AGENTS = "a";

export function indexMessage(message: Message): IndexedMessage {
  const { content, context } = message;
  return { text: context === undefined ? content : `${content}\n${context}`, marks: marksOf(message) };
}

/** What an agent was told is found as messages; this is what it made of them. */
export function indexTurn({
  agent,
  text,
  thoughts,
  tools,
  plan,
  error,
}: EventData["TurnEnded"]): IndexedMessage {
  const words = [
    text,
    thoughts,
    error,
    ...(tools ?? []).map(({ title }) => title),
    ...(plan ?? []).map((one) => one.text),
  ];
  return { text: words.filter((one) => one !== undefined && one !== "").join("\n"), marks: mark("f", agent) };
}

/** `nothing` when no word of it can be found; undefined when everything is wanted. */
export function toExpression(wanted: Wanted): string | undefined {
  const { terms, from, to, types, sources, reader } = wanted;
  const words = terms.filter(hasToken);
  if (terms.length > 0 && words.length === 0) return "nothing";
  const parts = words.map((word) => `text : ${quoteTerm(word)}`);
  if (from.length > 0) parts.push(anyMark(from.map((who) => mark("f", who))));
  if (to.length > 0) parts.push(anyMark(to.map((who) => mark("t", who))));
  if (types.length > 0) parts.push(anyMark(types.map((type) => mark("k", type))));
  if (sources.length > 0) parts.push(anyMark(sources.map((source) => mark("s", source))));
  if (wanted.betweenAgents) parts.push(anyMark([BETWEEN_AGENTS]));
  if (reader !== undefined) parts.push(anyMark([mark("f", reader), mark("t", reader), BROADCAST]));
  return parts.length === 0 ? undefined : parts.join(" AND ");
}

function marksOf(message: Message): string {
  const marks = [
    mark("f", message.from),
    mark("f", message.fromName),
    mark("t", message.toName),
    mark("k", message.type),
    mark("s", message.source),
  ];
  if (isAgent(message.from) && message.to.some(({ agent }) => isAgent(agent))) marks.push(BETWEEN_AGENTS);
  const broadcast = isBroadcast(message);
  if (broadcast) marks.push(BROADCAST);
  // Own mail must be found however many got it; a broadcast is for all to see, so its recipients are a courtesy.
  const members = broadcast ? message.to.slice(0, MEMBERS) : message.to;
  for (const { agent, name } of members) marks.push(mark("t", agent), mark("t", name));
  return [...new Set(marks)].join(" ");
}

function isAgent(id: AgentId): boolean {
  return id !== HUMAN_ID && id !== HUB_ID;
}

/** In hexadecimal, so that it is one word to the tokenizer whatever the name holds. */
function mark(kind: "f" | "t" | "k" | "s", value: string): string {
  return kind + Buffer.from(value, "utf8").toString("hex");
}

function anyMark(marks: readonly string[]): string {
  return `marks : (${marks.map(quote).join(" OR ")})`;
}

/** `word*` stands for all words that begin so. */
function quoteTerm(term: string): string {
  const prefix = prefixOf(term);
  return prefix === undefined || !hasToken(prefix) ? quote(term) : `${quote(prefix)} *`;
}

/** Nothing that a person wrote stands outside of quotes; FTS5 reads no further than a NUL. */
function quote(text: string): string {
  return `"${text.replaceAll("\0", " ").replaceAll('"', '""')}"`;
}

/** Whether the tokenizer finds a word in it: letters, numbers and private use, as unicode61 counts. */
function hasToken(text: string): boolean {
  return /[\p{L}\p{N}\p{Co}]/u.test(text);
}
