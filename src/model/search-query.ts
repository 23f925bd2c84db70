import { deliveryStates, type ReceiptState } from "./delivery.js";
import { parseDuration } from "./duration.js";
import { HubError } from "./errors.js";
import { type MessageSource, type MessageType, messageSources, messageTypes } from "./message.js";
import { nearest } from "./nearest.js";

/** `undelivered` stands for every state in which a message still waits in an inbox. */
export type WantedStatus = ReceiptState | "undelivered";

/** A message of that type, or a turn of an agent. */
export type WantedType = MessageType | "turn";

/** All terms must match; of each filter, when given more than once, any value. */
export type SearchQuery = {
  /** Words and phrases. */
  terms: readonly string[];
  from: readonly string[];
  to: readonly string[];
  types: readonly WantedType[];
  statuses: readonly WantedStatus[];
  sources: readonly MessageSource[];
  /** Only what one agent sent to another: nothing from or to the person, and nothing of the hub's own. */
  betweenAgents: boolean;
  /** Wall times in milliseconds: not before the one, before the other. */
  after: number | undefined;
  before: number | undefined;
};

/** What stands before the colon of a filter. */
export const searchFilters = [
  "from",
  "to",
  "type",
  "status",
  "source",
  "between",
  "after",
  "before",
] as const;
export type SearchFilter = (typeof searchFilters)[number];

/** A part of what somebody wrote, as they wrote it: a filter with its value, or a word or phrase. */
export type SearchPiece = { written: string; filter: SearchFilter | undefined; value: string };

const MOST_TERMS = 32;
export const wantedStatuses: readonly WantedStatus[] = ["undelivered", "answered", ...deliveryStates];
export const wantedTypes: readonly WantedType[] = [...messageTypes, "turn"];

/** A filter with its value, a quoted phrase (which may lack its end), or a word. */
const pattern = new RegExp(`(${searchFilters.join("|")}):(?:"([^"]*)"?|(\\S+))|"([^"]*)"?|(\\S+)`, "giu");

export function splitSearch(text: string): SearchPiece[] {
  return [...text.matchAll(pattern)].map(([written, filter, quotedValue, plainValue, phrase, word]) => {
    const name = filter?.toLowerCase();
    return {
      written,
      filter: searchFilters.find((known) => known === name),
      value: quotedValue ?? plainValue ?? phrase ?? word ?? "",
    };
  });
}

/** Reads `is "auth ready" from:puppet-dev after:2h`. Only a filter's value can be wrong; any other text is looked for. */
export function parseSearch(text: string, now: number): SearchQuery {
  const pieces = splitSearch(text);
  const valuesOf = (wanted: SearchFilter | undefined) =>
    pieces.flatMap(({ filter, value }) => (filter === wanted ? [value] : []));
  const terms = valuesOf(undefined);
  if (terms.length > MOST_TERMS) {
    throw new HubError("INVALID_INPUT", `Look for at most ${MOST_TERMS} words at once, not ${terms.length}`);
  }
  const from = valuesOf("after").map((value) => readTime("after", value, now));
  const until = valuesOf("before").map((value) => readTime("before", value, now));
  return {
    terms,
    from: valuesOf("from"),
    to: valuesOf("to"),
    types: valuesOf("type").map(readType),
    statuses: valuesOf("status").map((value) => oneOf(wantedStatuses, value, "status")),
    sources: valuesOf("source").map((value) => oneOf(messageSources, value, "source")),
    betweenAgents: valuesOf("between").map((value) => oneOf(["agents"], value, "between")).length > 0,
    after: from.length === 0 ? undefined : Math.max(...from),
    before: until.length === 0 ? undefined : Math.min(...until),
  };
}

/** The letters of `word*`, which stands for all words that begin so; undefined for any other term. */
export function prefixOf(term: string): string | undefined {
  return term.length > 1 && term.endsWith("*") ? term.slice(0, -1) : undefined;
}

export function readType(value: string): WantedType {
  return oneOf(wantedTypes, value, "type");
}

function oneOf<T extends string>(known: readonly T[], value: string, filter: string): T {
  const found = known.find((word) => word === value.toLowerCase());
  if (found !== undefined) return found;
  const meant = nearest(value.toLowerCase(), known);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw new HubError(
    "INVALID_INPUT",
    `${filter}: there is no "${value.slice(0, 80)}"${hint} (known: ${known.join(", ")})`,
    { known },
  );
}

/** A day or a moment in ISO 8601, or how long ago. */
export function readTime(filter: "after" | "before", value: string, now: number): number {
  const ago = parseDuration(value);
  if (ago !== undefined) return now - ago;
  const moment = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new HubError(
    "INVALID_INPUT",
    `${filter}: "${value.slice(0, 80)}" is not a time; write 2026-01-31, 2026-01-31T09:30:00Z, 10m, 2h or 3d`,
  );
}
