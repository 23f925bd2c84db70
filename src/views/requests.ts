import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { PeerName } from "../model/peer.js";
import type { OpenRequest, RequestId, RequestState } from "../model/request.js";
import { createRecentAsks } from "./recent-asks.js";
import { createTally } from "./tally.js";

type Row = {
  id: string;
  sender: string;
  sender_name: string;
  description: string;
  context: string | null;
  opened_at: number;
  timeout_ms: number;
  expires_at: number;
  nudges: number;
  state: RequestState["kind"];
  by: string | null;
  by_name: string | null;
  message: string | null;
  claimed_at: number | null;
  answered_at: number | null;
  reopened_at: number | null;
  left_by: string | null;
  left_name: string | null;
  hubs: string | null;
  hub: string | null;
};

export type Request = Omit<OpenRequest, "nudgeAt"> & {
  state: RequestState;
  nudges: number;
  /** Wall time, as the other times are. */
  openedAt: number;
  claimedAt: number | null;
  answeredAt: number | null;
  /** It is open again since then, or was: whoever had claimed it died or left. */
  reopened: { at: number; by: AgentId; byName: string } | null;
};

type RequestsPage = {
  status?: RequestState["kind"] | undefined;
  /** Continue after this one. */
  before?: Pick<Request, "openedAt" | "id"> | undefined;
  limit: number;
};

/** Open calls for help, and what became of them. */
export type Requests = View & {
  byId(id: RequestId): Request | undefined;
  /** Newest first. */
  list(page: RequestsPage): Request[];
  openCount(): number;
  /** How many of these another hub shares; without a name, how many all other hubs do. */
  openCountFrom(hub?: PeerName): number;
  /** How many an agent has asked for that nobody has claimed. */
  openCountOf(agent: AgentId): number;
  /** How many an agent has claimed and not answered. */
  claimedCountOf(agent: AgentId): number;
  /** When, in hub time, an agent posted and nudged requests within the last minute, oldest first. */
  recentAsks(agent: AgentId, now: number): readonly number[];
  /** What an agent has claimed and not answered. */
  claimedBy(agent: AgentId): Request[];
  /** What an agent has asked for and nobody has claimed. */
  openOf(agent: AgentId): Request[];
};

export function createRequests(db: Database): Requests {
  const byId = db.prepare<[string], Row>("SELECT * FROM request WHERE id = ?");
  const list = db.prepare<[{ at: number; id: string; limit: number }], Row>(
    "SELECT * FROM request WHERE (opened_at, id) < (@at, @id) ORDER BY opened_at DESC, id DESC LIMIT @limit",
  );
  const listState = db.prepare<[{ state: string; at: number; id: string; limit: number }], Row>(
    `SELECT * FROM request WHERE state = @state AND (opened_at, id) < (@at, @id)
     ORDER BY opened_at DESC, id DESC LIMIT @limit`,
  );
  const openCount = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM request WHERE state = 'open'");
  const openCountOf = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM request WHERE state = 'open' AND sender = ?",
  );
  const openCountFrom = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM request WHERE state = 'open' AND hub = ?",
  );
  const openElsewhere = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM request WHERE state = 'open' AND hub IS NOT NULL",
  );
  const claimedCountOf = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM request WHERE by = ? AND state = 'claimed'",
  );
  const claimedBy = db.prepare<[string], Row>(
    "SELECT * FROM request WHERE by = ? AND state = 'claimed' ORDER BY opened_at, id",
  );
  const openOf = db.prepare<[string], Row>(
    "SELECT * FROM request WHERE state = 'open' AND sender = ? ORDER BY opened_at, id",
  );

  // Its message has its id, and comes right after the event that opened it.
  const oldest = db.prepare<[], { seq: number | null }>(
    `SELECT min(message.seq) - 1 AS seq FROM request JOIN message ON message.id = request.id
     WHERE request.state IN ('open', 'claimed')`,
  );
  const insert = db.prepare(
    `INSERT INTO request (id, sender, sender_name, description, context, opened_at, timeout_ms, expires_at, hubs, hub, nudges, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'open')`,
  );
  const claim = db.prepare(
    "UPDATE request SET state = 'claimed', by = ?, by_name = ?, claimed_at = ? WHERE id = ?",
  );
  const reopen = db.prepare(
    `UPDATE request SET state = 'open', by = NULL, by_name = NULL, claimed_at = NULL, expires_at = ?,
       reopened_at = ?, left_by = by, left_name = by_name
     WHERE id = ?`,
  );
  const answer = db.prepare(
    "UPDATE request SET state = 'answered', by = ?, by_name = ?, message = ?, answered_at = ? WHERE id = ?",
  );
  const whose = db.prepare<[string], Pick<Row, "sender" | "state" | "by" | "hub">>(
    "SELECT sender, state, by, hub FROM request WHERE id = ?",
  );
  const nudge = db.prepare("UPDATE request SET nudges = nudges + 1 WHERE id = ?");
  const expire = db.prepare("UPDATE request SET state = 'expired' WHERE id = ?");

  // Asked at every request, so kept.
  const total = createTally<"all">(() => openCount.get()?.n ?? 0);
  const open = createTally((agent: AgentId) => openCountOf.get(agent)?.n ?? 0);
  const shared = createTally((hub: PeerName) => openCountFrom.get(hub)?.n ?? 0);
  const elsewhere = createTally<"all">(() => openElsewhere.get()?.n ?? 0);
  const claimed = createTally((agent: AgentId) => claimedCountOf.get(agent)?.n ?? 0);
  const asks = createRecentAsks(db);

  function countOpen(sender: AgentId, hub: PeerName | null, change: number) {
    total.add("all", change);
    open.add(sender, change);
    if (hub === null) return;
    shared.add(hub, change);
    elsewhere.add("all", change);
  }

  /** Takes it out of the count that it is in; call it before its row changes. */
  function leaveState(id: RequestId): Pick<Row, "sender" | "hub"> | undefined {
    const row = whose.get(id);
    if (row?.state === "open") countOpen(row.sender, row.hub, -1);
    if (row?.state === "claimed" && row.by !== null) claimed.add(row.by, -1);
    return row;
  }

  return {
    tables: ["request"],
    forget() {
      total.clear();
      open.clear();
      shared.clear();
      elsewhere.clear();
      claimed.clear();
      asks.forget();
    },
    ended: [{ table: "request", where: "state IN ('answered', 'expired')" }],
    oldestNeeded: () => oldest.get()?.seq ?? undefined,
    folds: {
      RequestOpened({ data: { request }, at, hubTime }) {
        countOpen(request.from, request.hub ?? null, 1);
        asks.count(request.from, hubTime);
        insert.run(
          request.id,
          request.from,
          request.fromName,
          request.description,
          request.context ?? null,
          at,
          request.timeoutMs,
          request.expiresAt,
          request.hubs === undefined ? null : JSON.stringify(request.hubs),
          request.hub ?? null,
        );
      },
      RequestClaimed({ at, data }) {
        leaveState(data.request);
        claimed.add(data.by, 1);
        claim.run(data.by, data.byName, at, data.request);
      },
      RequestReopened({ at, data }) {
        const row = leaveState(data.request);
        if (row !== undefined) countOpen(row.sender, row.hub, 1);
        reopen.run(data.expiresAt, at, data.request);
      },
      RequestAnswered({ at, data }) {
        leaveState(data.request);
        answer.run(data.by, data.byName, data.message, at, data.request);
      },
      RequestNudged({ data, hubTime }) {
        asks.count(data.by, hubTime);
        nudge.run(data.request);
      },
      RequestExpired({ data }) {
        leaveState(data.request);
        expire.run(data.request);
      },
    },
    byId(id) {
      const row = byId.get(id);
      return row && fromRow(row);
    },
    list({ status, before, limit }) {
      const from = { at: before?.openedAt ?? Number.MAX_SAFE_INTEGER, id: before?.id ?? "", limit };
      const rows = status === undefined ? list.all(from) : listState.all({ state: status, ...from });
      return rows.map(fromRow);
    },
    openCount: () => total.of("all"),
    openCountFrom: (hub) => (hub === undefined ? elsewhere.of("all") : shared.of(hub)),
    openCountOf: open.of,
    claimedCountOf: claimed.of,
    recentAsks: asks.since,
    claimedBy: (agent) => claimedBy.all(agent).map(fromRow),
    openOf: (agent) => openOf.all(agent).map(fromRow),
  };
}

function fromRow(row: Row): Request {
  return {
    id: row.id,
    from: row.sender,
    fromName: row.sender_name,
    description: row.description,
    ...(row.context === null ? {} : { context: row.context }),
    timeoutMs: row.timeout_ms,
    expiresAt: row.expires_at,
    ...(row.hubs === null ? {} : { hubs: toHubs(row.hubs) }),
    ...(row.hub === null ? {} : { hub: row.hub }),
    openedAt: row.opened_at,
    nudges: row.nudges,
    claimedAt: row.claimed_at,
    answeredAt: row.answered_at,
    reopened:
      row.reopened_at === null
        ? null
        : { at: row.reopened_at, by: row.left_by ?? "", byName: row.left_name ?? "" },
    state: toState(row),
  };
}

function toHubs(json: string): PeerName[] {
  const hubs: unknown = JSON.parse(json);
  return Array.isArray(hubs) ? hubs.filter((hub) => typeof hub === "string") : [];
}

function toState({ state, by, by_name, message }: Row): RequestState {
  if (state === "claimed") return { kind: state, by: by ?? "", byName: by_name ?? "" };
  if (state === "answered") {
    return { kind: state, by: by ?? "", byName: by_name ?? "", message: message ?? "" };
  }
  return { kind: state };
}
