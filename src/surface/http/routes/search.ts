import type { z } from "zod";
import { type searchQuery, searchRoutes } from "../../../contract/http/search.js";
import { forReader } from "../../../hub/rules/address-of.js";
import { HubError } from "../../../model/errors.js";
import { maySee } from "../../../model/mail-visibility.js";
import { asSeenBy } from "../../../model/visibility.js";
import { threadRoot } from "../../../views/lazy/threads.js";
import { listMessages } from "../../../views/list-messages.js";
import type { StoredMessage } from "../../../views/messages.js";
import { type Caller, memberId, viewerOf } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { hasStatus } from "../../shown/has-status.js";
import { viewDeliveries } from "../../shown/message-status.js";
import { viewMessage } from "../../shown/message-view.js";
import { viewAgentTurn, viewTurnHit } from "../../shown/turn-view.js";
import type { BindRoute } from "../bind-route.js";
import { readCursor, readSearch, type SearchAsked } from "./read-search.js";
import { findCandidates } from "./search-candidates.js";
import { countFound } from "./search-count.js";

type Within = { after: number; before: number; limit: number };

/** How many are looked at for a page, where a state decides which of them belong to it. */
const CHUNK = 200;
/** A thread's newest messages; the rest is found by searching. */
const THREAD = 1000;
/** How many candidates one call looks at when only some of them are wanted. */
const MOST_LOOKED_AT = 2000;
/** Of what went to many: the rest is in the message's own receipt. */
const MOST_DELIVERIES = 20;

export function bindSearchRoutes(bind: BindRoute, ports: HubPorts): void {
  const { views, search } = ports;

  bind(searchRoutes.search, ({ caller, query }) => seated(caller, () => find(caller, query)));

  bind(searchRoutes.count, ({ caller, query }) =>
    seated(caller, () => countFound(ports, caller, readSearch(ports, caller, query), query.every)),
  );

  async function find(caller: Caller, query: z.output<typeof searchQuery>) {
    const viewer = viewerOf(caller);
    const asked = readSearch(ports, caller, query);
    const { after } = asked;
    const { statuses } = asked.query;
    const { limit } = query;
    let before = Math.min(asked.before, readCursor(query.cursor));
    const newest = before;
    await search.caughtUp();
    if (asked.messages === undefined) return turnPage(caller, asked, { after, before, limit });

    const found: StoredMessage[] = [];
    const withReceipts = query.receipts === "true";
    /** With the turns between these messages. */
    const page = async (next: number | undefined) => ({
      messages: withReceipts ? found.map((one) => withReceipt(caller, one)) : shown(caller, found),
      ...(await turnsWithin(caller, asked, {
        after: next === undefined ? after : next - 1,
        before: newest,
        limit,
      })),
      next: next === undefined ? null : next.toString(36),
    });
    const chunk = statuses.length === 0 ? limit + 1 : CHUNK;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += chunk) {
      const seqs = await findCandidates(ports, asked, { after, before, limit: chunk });
      for (const seq of seqs) {
        if (found.length === limit) return page(before);
        before = seq;
        const stored = views.messages.bySeq(seq);
        if (stored === undefined || !maySee(stored.data.message, viewer)) continue;
        if (hasStatus(views, stored, statuses, viewer)) found.push(stored);
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

  /** With how far it has come; a recipient sees only its own delivery. */
  function withReceipt(caller: Caller, stored: StoredMessage) {
    const { seq, at, data } = stored;
    const me = memberId(caller);
    const { to, from } = data.message;
    const knowsAll = caller.kind === "operator" || from === me;
    const recipients = knowsAll ? to.slice(0, MOST_DELIVERIES) : to.filter(({ agent }) => agent === me);
    return {
      ...viewMessage({ seq, at, message: forReader(views, data.message, me) }, views, me),
      deliveries: viewDeliveries(stored, recipients, caller, ports),
      recipients: to.length,
    };
  }

  /** Where only turns are wanted. */
  async function turnPage(caller: Caller, asked: SearchAsked, within: Within) {
    const { turns, more_turns } = await turnsWithin(caller, asked, within);
    const next = more_turns === true ? (turns.at(-1)?.seq ?? null) : null;
    return { messages: [], turns, next: next === null ? null : next.toString(36) };
  }

  async function turnsWithin(caller: Caller, asked: SearchAsked, { limit, ...within }: Within) {
    if (asked.turns === undefined) return { turns: [] };
    const viewer = viewerOf(caller);
    const reader = memberId(caller);
    const { terms } = asked.turns;
    const seqs = await search.findTurns({ ...asked.turns, ...within, limit: limit + 1 });
    const found = seqs.slice(0, limit).flatMap((seq) => {
      const [event] = ports.pageAfter(seq - 1, 1);
      const isIts = event?.seq === seq && event.type === "TurnEnded" && asSeenBy(event, viewer) !== null;
      return isIts ? [viewTurnHit(views, event, { terms, reader })] : [];
    });
    return { turns: found, ...(seqs.length > limit ? { more_turns: true as const } : {}) };
  }
}

function readSince(since: string): number {
  const time = Date.parse(since);
  if (Number.isNaN(time)) throw new HubError("INVALID_INPUT", `since: "${since}" is not an ISO 8601 time`);
  return time;
}
