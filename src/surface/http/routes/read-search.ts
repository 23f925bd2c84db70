import type { z } from "zod";
import type { searchCountQuery, searchQuery } from "../../../contract/http/search.js";
import { recallRecipient } from "../../../hub/rules/find-recipient.js";
import { nameIn } from "../../../model/address.js";
import type { AgentId } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import type { MessageType } from "../../../model/message.js";
import { parseSearch, readTime, readType, type SearchQuery } from "../../../model/search-query.js";
import { type Caller, memberId, viewerOf } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";

type Asked = z.output<typeof searchQuery> | z.output<typeof searchCountQuery>;

/** What a call looks for: which messages, which turns, and between which places of the journal. */
export type SearchAsked = {
  query: SearchQuery;
  /** Undefined: only turns are wanted. */
  messages: (Omit<SearchQuery, "types"> & { types: MessageType[]; reader: AgentId | undefined }) | undefined;
  /** Undefined: no turn can be meant. */
  turns: { terms: readonly string[]; from: string[]; reader: AgentId | undefined } | undefined;
  after: number;
  before: number;
};

export function readSearch(ports: HubPorts, caller: Caller, asked: Asked): SearchAsked {
  const query = readQuery(asked, ports.wall());
  const viewer = viewerOf(caller);
  const me = memberId(caller);
  const reader = viewer.kind === "agent" ? viewer.id : undefined;
  const types = query.types.flatMap((type) => (type === "turn" ? [] : [type]));
  const from = query.from.flatMap((name) => nameAndId(ports, name, me));
  const to = query.to.flatMap((name) => nameAndId(ports, name, me));
  const wantsMessages = query.types.length === types.length || types.length > 0;
  return {
    query,
    messages: wantsMessages ? { ...query, types, from, to, reader } : undefined,
    turns: mayBeTurns(query, asked.turns !== "false") ? { terms: query.terms, from, reader } : undefined,
    after: Math.max(query.after === undefined ? 0 : ports.seqBefore(query.after), asked.newer_than ?? 0, 0),
    before: Math.min(
      query.before === undefined ? Number.MAX_SAFE_INTEGER : ports.seqBefore(query.before) + 1,
      asked.older_than ?? Number.MAX_SAFE_INTEGER,
    ),
  };
}

/** Turns have no recipients, no states and no source. */
function mayBeTurns({ types, to, statuses, sources, betweenAgents }: SearchQuery, unasked: boolean): boolean {
  const isAsked = types.length === 0 ? unasked : types.includes("turn");
  return isAsked && to.length + statuses.length + sources.length === 0 && !betweenAgents;
}

/** Whoever has the name now may have had another when it sent. With a team, only that agent is meant. */
function nameAndId({ views }: HubPorts, address: string, reader: AgentId): string[] {
  const agent = recallRecipient(views, address, reader);
  if (agent === undefined) return [address];
  return nameIn(address) === address ? [address, agent.id] : [agent.id];
}

/** A parameter stands above the filter of its name among the words; of several times the narrowest count. */
function readQuery({ q = "", from, to, type, after, before }: Asked, now: number): SearchQuery {
  const written = parseSearch(q, now);
  const begins = [written.after, after === undefined ? undefined : readTime("after", after, now)];
  const ends = [written.before, before === undefined ? undefined : readTime("before", before, now)];
  const latest = Math.max(...begins.filter((moment) => moment !== undefined));
  const earliest = Math.min(...ends.filter((moment) => moment !== undefined));
  return {
    ...written,
    from: from === undefined ? written.from : [from],
    to: to === undefined ? written.to : [to],
    types: type === undefined ? written.types : [readType(type)],
    after: Number.isFinite(latest) ? latest : undefined,
    before: Number.isFinite(earliest) ? earliest : undefined,
  };
}

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (/^[0-9a-z]{1,11}$/.test(cursor)) return Number.parseInt(cursor, 36);
  throw new HubError("INVALID_INPUT", `cursor: give what an earlier answer had as "next"`);
}
