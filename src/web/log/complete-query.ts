import { messageSources } from "../../model/message.js";
import {
  type SearchFilter,
  type SearchPiece,
  searchFilters,
  splitSearch,
  wantedStatuses,
  wantedTypes,
} from "../../model/search-query.js";

/*
 * What somebody looks for, as the field has it: filters that are complete stand as chips, the rest is text. Both together are a
 * query of the log, as `huddle log` takes it.
 */
export type FieldQuery = { chips: readonly SearchPiece[]; text: string };

/** Of a query as it stands in an address. */
export function readFieldQuery(query: string): FieldQuery {
  const pieces = splitSearch(query);
  return {
    chips: pieces.filter(({ filter }) => filter !== undefined),
    text: pieces
      .filter(({ filter }) => filter === undefined)
      .map(({ written }) => written)
      .join(" "),
  };
}

/** What was typed, with the filters in it that are complete taken out as chips: those that a space follows. */
export function takeChips({ chips, text }: FieldQuery): FieldQuery {
  const taken: SearchPiece[] = [];
  const rest = splitSearch(text).reduce((left, piece) => {
    const at = left.indexOf(piece.written);
    const end = at + piece.written.length;
    if (piece.filter === undefined || !/\s/.test(left.charAt(end))) return left;
    taken.push(piece);
    return left.slice(0, at) + left.slice(end + 1);
  }, text);
  return taken.length === 0 ? { chips, text } : { chips: [...chips, ...taken], text: rest };
}

/** What is asked for: a filter that has no value yet is not. */
export function sayQuery({ chips, text }: FieldQuery): string {
  const words = splitSearch(text)
    .map(({ written }) => written)
    .filter((written) => !searchFilters.some((filter) => written.toLowerCase() === `${filter}:`));
  return [...chips.map(({ written }) => written), ...words].join(" ");
}

/** `text` is what comes in place of the word; `note` says what it means. */
export type Suggestion = { text: string; label: string; note: string; agent?: string };

const filterNotes: { readonly [F in SearchFilter]: string } = {
  from: "who sent it",
  to: "who it went to",
  type: "what kind of message, or a turn",
  status: "how far it has come",
  source: "the person, an applet or an agent",
  between: "agents only",
  after: "since when",
  before: "until when",
};

const statusNotes: Readonly<Record<string, string>> = {
  undelivered: "still in an inbox",
  held: "waits: cooldown, budget, absence",
  answered: "somebody replied to it",
  finished: "its turn has ended",
  failed: "it came back",
  expired: "nobody read it in time",
};

const MOST = 9;

export type Known = {
  /** Names of agents that are here. */
  agents: readonly string[];
  now: Date;
};

/** The word before the caret: it is what can be completed. */
export function wordBefore(text: string, caret: number): { from: number; word: string } {
  const from = text.slice(0, caret).search(/\S*$/);
  return { from, word: text.slice(from, caret) };
}

export function suggest(word: string, known: Known): Suggestion[] {
  const [, name = "", begun = ""] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
  const filter = searchFilters.find((one) => one === name.toLowerCase());
  if (filter === undefined) return word === "" ? [] : suggestFilters(word.toLowerCase());
  const typed = begun.toLowerCase().replace(/^"/, "");
  return valuesOf(filter, known)
    .filter(({ label }) => label.toLowerCase().includes(typed))
    .sort((a, b) => Number(b.label.startsWith(typed)) - Number(a.label.startsWith(typed)))
    .slice(0, MOST)
    .map((value) => ({ ...value, text: `${filter}:${value.label}` }));
}

function suggestFilters(typed: string): Suggestion[] {
  return searchFilters
    .filter((filter) => filter.startsWith(typed))
    .map((filter) => ({ text: `${filter}:`, label: `${filter}:`, note: filterNotes[filter] }));
}

type Value = Omit<Suggestion, "text">;

function valuesOf(filter: SearchFilter, { agents, now }: Known): Value[] {
  switch (filter) {
    case "from":
    case "to":
      return [
        ...agents.map((name) => ({ label: name, note: "", agent: name })),
        { label: "user", note: "you" },
        ...(filter === "from" ? [{ label: "hub", note: "notices of the hub" }] : []),
        ...(filter === "to" ? [{ label: "all", note: "broadcasts" }] : []),
      ];
    case "type":
      return wantedTypes.map((label) => ({ label, note: label === "turn" ? "what agents did" : "" }));
    case "status":
      return wantedStatuses.map((label) => ({ label, note: statusNotes[label] ?? "" }));
    case "source":
      return messageSources.map((label) => ({ label, note: label === "user" ? "you" : "" }));
    case "between":
      return [{ label: "agents", note: "neither you nor the hub" }];
    case "after":
    case "before":
      return [
        { label: "10m", note: "ten minutes ago" },
        { label: "1h", note: "an hour ago" },
        { label: "1d", note: "a day ago" },
        { label: "7d", note: "a week ago" },
        { label: dayOf(now, 0), note: "today, in UTC" },
        { label: dayOf(now, 1), note: "yesterday, in UTC" },
      ];
  }
}

function dayOf(now: Date, ago: number): string {
  return new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
}
