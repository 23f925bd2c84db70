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
  /** Wall time in milliseconds. */
  after: number | undefined;
};

const MOST_TERMS = 32;
const statuses: readonly WantedStatus[] = ["undelivered", "answered", ...deliveryStates];

/** Filters of which each value is kept. */
const listFilters = ["from", "to", "type", "status", "source", "between"] as const;
type ListFilter = (typeof listFilters)[number];

/** A filter with its value, a quoted phrase (which may lack its end), or a word. */
const pattern = /(from|to|type|status|source|between|after):(?:"([^"]*)"?|(\S+))|"([^"]*)"?|(\S+)/giu;

/** Reads `is "auth ready" from:puppet-dev after:2h`. Only a filter's value can be wrong; any other text is looked for. */
export function parseSearch(text: string, now: number): SearchQuery {
  const found: Record<ListFilter, string[]> = {
    from: [],
    to: [],
    type: [],
    status: [],
    source: [],
    between: [],
  };
  const terms: string[] = [];
  let after: number | undefined;
  for (const [, filter, quotedValue, plainValue, phrase, word] of text.matchAll(pattern)) {
    const value = quotedValue ?? plainValue ?? "";
    const name = filter?.toLowerCase();
    const listed = listFilters.find((known) => known === name);
    if (name === "after") after = Math.max(after ?? 0, readAfter(value, now));
    else if (listed !== undefined) found[listed].push(value);
    else if (phrase !== undefined) terms.push(phrase);
    else if (word !== undefined) terms.push(word);
  }
  if (terms.length > MOST_TERMS) {
    throw new HubError("INVALID_INPUT", `Look for at most ${MOST_TERMS} words at once, not ${terms.length}`);
  }
  return {
    terms,
    from: found.from,
    to: found.to,
    types: found.type.map(readType),
    statuses: found.status.map((value) => oneOf(statuses, value, "status")),
    sources: found.source.map((value) => oneOf(messageSources, value, "source")),
    betweenAgents: found.between.map((value) => oneOf(["agents"], value, "between")).length > 0,
    after,
  };
}

export function readType(value: string): WantedType {
  return oneOf([...messageTypes, "turn"], value, "type");
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
export function readAfter(value: string, now: number): number {
  const ago = parseDuration(value);
  if (ago !== undefined) return now - ago;
  const moment = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new HubError(
    "INVALID_INPUT",
    `after: "${value.slice(0, 80)}" is not a time; write 2026-01-31, 2026-01-31T09:30:00Z, 10m, 2h or 3d`,
  );
}
