import type { z } from "zod";
import { type searchQuery, searchRoutes } from "../../../contract/http/search.js";
import { forReader } from "../../../hub/rules/address-of.js";
import { recallAgent } from "../../../hub/rules/find-agent.js";
import { nameIn } from "../../../model/address.js";
import type { AgentId } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import { maySee } from "../../../model/mail-visibility.js";
import { parseSearch, readAfter, readType, type SearchQuery } from "../../../model/search-query.js";
import { asSeenBy } from "../../../model/visibility.js";
import { threadRoot } from "../../../views/lazy/threads.js";
import { listMessages } from "../../../views/list-messages.js";
import type { StoredMessage } from "../../../views/messages.js";
import { type Caller, memberId, viewerOf } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { hasStatus } from "../../shown/has-status.js";
import { viewMessage } from "../../shown/message-view.js";
import { viewAgentTurn, viewTurnHit } from "../../shown/turn-view.js";
import type { BindRoute } from "../bind-route.js";

type Within = { after: number; before: number; limit: number };

/** How many are looked at for a page, where a state decides which of them belong to it. */
const CHUNK = 200;
/** A thread's newest messages; the rest is found by searching. */
const THREAD = 1000;
/** How many candidates one call looks at when only some of them are wanted. */
const MOST_LOOKED_AT = 2000;

export function bindSearchRoutes(bind: BindRoute, ports: HubPorts): void {
  const { views, search } = ports;

  bind(searchRoutes.search, ({ caller, query }) => seated(caller, () => find(caller, query)));

  async function find(caller: Caller, query: z.output<typeof searchQuery>) {
    const viewer = viewerOf(caller);
    const wanted = readQuery(query, ports.wall());
    const types = wanted.types.flatMap((type) => (type === "turn" ? [] : [type]));
    const wantsMessages = wanted.types.length === types.length || types.length > 0;
    const { limit } = query;
    const after = wanted.after === undefined ? 0 : ports.seqBefore(wanted.after);
    let before = readCursor(query.cursor);
    const newest = before;
    await search.caughtUp();
    if (!wantsMessages) return turnPage(caller, wanted, { after, before, limit });

    const found: StoredMessage[] = [];
    /** With the turns between these messages. */
    const page = async (next: number | undefined) => ({
      messages: shown(caller, found),
      ...(await turnsWithin(caller, wanted, {
        after: next === undefined ? after : next - 1,
        before: newest,
        limit,
      })),
      next: next === undefined ? null : next.toString(36),
    });
    const chunk = wanted.statuses.length === 0 ? limit + 1 : CHUNK;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += chunk) {
      const seqs = await search.find({
        ...wanted,
        types,
        from: wanted.from.flatMap((name) => nameAndId(name, memberId(caller))),
        to: wanted.to.flatMap((name) => nameAndId(name, memberId(caller))),
        reader: viewer.kind === "agent" ? viewer.id : undefined,
        after,
        before,
        limit: chunk,
      });
      for (const seq of seqs) {
        if (found.length === limit) return page(before);
        before = seq;
        const stored = views.messages.bySeq(seq);
        if (stored === undefined || !maySee(stored.data.message, viewer)) continue;
        if (hasStatus(views, stored, wanted.statuses, viewer)) found.push(stored);
      }
      if (seqs.length < chunk) return page(undefined);
    }
    return page(before);
  }

  bind(searchRoutes.list, ({ caller, query }) =>
    seated(caller, async () => {
      const start = query.since === undefined ? 0 : ports.seqBefore(readSince(query.since));
      const { messages, turns, next } = await listMessages(ports, {
        viewer: viewerOf(caller),
        after: Math.max(query.after ?? 0, start),
        limit: query.limit,
        turns: query.turns === "true",
      });
      const reader = memberId(caller);
      return {
        messages: shown(caller, messages),
        ...(query.turns === "true" ? { turns: turns.map((turn) => viewAgentTurn(views, turn, reader)) } : {}),
        next,
      };
    }),
  );

  bind(searchRoutes.thread, async ({ caller, param }) => {
    const viewer = viewerOf(caller);
    const known = views.messages.byId(param("id"));
    const start = known.findLast(({ data }) => maySee(data.message, viewer));
    if (start === undefined) {
      throw new HubError(
        "MESSAGE_NOT_FOUND",
        `No message of yours has the id "${param("id").slice(0, 128)}"`,
      );
    }
    const root = threadRoot(start.data.message);
    const seqs = await seated(caller, () => ports.threadOf(root, THREAD));
    const messages = [...new Set([...seqs, start.seq])]
      .sort((a, b) => a - b)
      .flatMap((seq) => views.messages.bySeq(seq) ?? [])
      .filter(({ data }) => maySee(data.message, viewer));
    return { messages: shown(caller, messages) };
  });

  /** Those of one agent do not make all others wait. */
  async function seated<T>(caller: Caller, run: () => Promise<T>): Promise<T> {
    const leave = ports.searches.take(memberId(caller));
    try {
      return await run();
    } finally {
      leave();
    }
  }

  function shown(caller: Caller, messages: readonly StoredMessage[]) {
    const reader = memberId(caller);
    return messages.map(({ seq, at, data }) =>
      viewMessage({ seq, at, message: forReader(views, data.message, reader) }, views, reader),
    );
  }

  /** Where only turns are wanted. */
  async function turnPage(caller: Caller, wanted: SearchQuery, within: Within) {
    const { turns, more_turns } = await turnsWithin(caller, wanted, within);
    const next = more_turns === true ? (turns.at(-1)?.seq ?? null) : null;
    return { messages: [], turns, next: next === null ? null : next.toString(36) };
  }

  async function turnsWithin(caller: Caller, wanted: SearchQuery, { limit, ...within }: Within) {
    const isAsked = wanted.types.length === 0 || wanted.types.includes("turn");
    const others = wanted.to.length + wanted.statuses.length + wanted.sources.length;
    if (!isAsked || others > 0 || wanted.betweenAgents) return { turns: [] };
    const viewer = viewerOf(caller);
    const reader = memberId(caller);
    const { terms } = wanted;
    const seqs = await search.findTurns({
      terms,
      from: wanted.from.flatMap((name) => nameAndId(name, reader)),
      reader: viewer.kind === "agent" ? viewer.id : undefined,
      ...within,
      limit: limit + 1,
    });
    const found = seqs.slice(0, limit).flatMap((seq) => {
      const [event] = ports.pageAfter(seq - 1, 1);
      const isIts = event?.seq === seq && event.type === "TurnEnded" && asSeenBy(event, viewer) !== null;
      return isIts ? [viewTurnHit(views, event, { terms, reader })] : [];
    });
    return { turns: found, ...(seqs.length > limit ? { more_turns: true as const } : {}) };
  }

  /** Whoever has the name now may have had another when it sent. With a team, only that agent is meant. */
  function nameAndId(address: string, reader: AgentId): string[] {
    const agent = recallAgent(views, address, reader);
    if (agent === undefined) return [address];
    return nameIn(address) === address ? [address, agent.id] : [agent.id];
  }
}

/** A parameter stands above the filter of its name among the words; of two times the later one counts. */
function readQuery(query: z.output<typeof searchQuery>, now: number): SearchQuery {
  const { q = "", from, to, type, after } = query;
  const written = parseSearch(q, now);
  const moments = [written.after, after === undefined ? undefined : readAfter(after, now)];
  const given = moments.filter((moment) => moment !== undefined);
  return {
    ...written,
    from: from === undefined ? written.from : [from],
    to: to === undefined ? written.to : [to],
    types: type === undefined ? written.types : [readType(type)],
    after: given.length === 0 ? undefined : Math.max(...given),
  };
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (/^[0-9a-z]{1,11}$/.test(cursor)) return Number.parseInt(cursor, 36);
  throw new HubError("INVALID_INPUT", `cursor: give what an earlier answer had as "next"`);
}

function readSince(since: string): number {
  const time = Date.parse(since);
  if (Number.isNaN(time)) throw new HubError("INVALID_INPUT", `since: "${since}" is not an ISO 8601 time`);
  return time;
}
