import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { DeliveryRef } from "../model/delivery.js";
import type { EventOf } from "../model/events.js";
import type { Frame, LinkReceipt } from "../model/link.js";
import type { PeerName } from "../model/peer.js";
import { SOMEBODY_ELSEWHERE } from "../model/request.js";
import { frameOf, type Owed } from "./compose-frame.js";
import { digestOf } from "./frame-digest.js";
import type { Messages } from "./messages.js";
import type { Peers } from "./peers.js";
import { type RequestNote, toldOf } from "./request-news.js";
import type { Request, Requests } from "./requests.js";
import type { Roster } from "./roster.js";

type Outgoing = { epoch: string; next: number; acked: number };
type Incoming = { epoch: string; upTo: number; digest: string | null; retired: readonly string[] };
/** What a peer is to be told: the event that it tells of, and how long it is. */
type OwedPlace = { seq: number; nth: number; bytes: number };

/**
 * What goes to peers and what came from them, by numbers. A frame is stored as it was first composed, so that it is the same at
 * each resend. Which receipts are owed follows from the events about mail that came from a peer, and what peers are told of requests
 * from what becomes of those.
 */
export type LinkFrames = View & {
  outgoing(peer: PeerName): Outgoing | undefined;
  /** Those not yet acknowledged, oldest first: so many of those behind that number. */
  unacknowledged(peer: PeerName, after: number, limit: number): { frame: Frame; bytes: number }[];
  unacknowledgedSize(peer: PeerName): { frames: number; bytes: number };
  /** By which an ack of that number may name it: mail that expired meanwhile is known by both. */
  digestsOf(peer: PeerName, n: number): readonly string[];
  /** The mail among those not yet acknowledged, up to that number. */
  mailUpTo(peer: PeerName, n: number): { n: number; seq: number; agent: AgentId }[];
  /** Receipts and news of requests without a number, oldest first. */
  owed(peer: PeerName, limit: number): OwedPlace[];
  incoming(peer: PeerName): Incoming | undefined;
};

type Sources = {
  peers: Peers;
  roster: Pick<Roster, "byId">;
  messages: Pick<Messages, "bySeq" | "bySender">;
  requests: Pick<Requests, "byId">;
};

export function createLinkFrames(db: Database, sources: Sources): LinkFrames {
  const { peers, requests } = sources;
  const outgoing = db.prepare<[string], Outgoing>("SELECT epoch, next, acked FROM link_out WHERE peer = ?");
  const putOutgoing = db.prepare("REPLACE INTO link_out (peer, epoch, next, acked) VALUES (?, ?, ?, ?)");
  const setNext = db.prepare("UPDATE link_out SET next = ? WHERE peer = ?");
  const setAcked = db.prepare("UPDATE link_out SET acked = ? WHERE peer = ?");
  const removeOutgoing = db.prepare("DELETE FROM link_out WHERE peer = ?");
  const frames = db
    .prepare<[string, number, number], string>(
      "SELECT json FROM link_frame WHERE peer = ? AND n > ? ORDER BY n LIMIT ?",
    )
    .pluck();
  const size = db.prepare<[string], { frames: number; bytes: number }>(
    "SELECT count(*) AS frames, coalesce(sum(length(CAST(json AS BLOB))), 0) AS bytes FROM link_frame WHERE peer = ?",
  );
  const digests = db.prepare<[string, number], { digest: string; before: string | null }>(
    "SELECT digest, before FROM link_frame WHERE peer = ? AND n = ?",
  );
  const mail = db.prepare<[string, number], { n: number; seq: number; agent: AgentId }>(
    "SELECT n, seq, agent FROM link_frame WHERE peer = ? AND n <= ? AND agent IS NOT NULL ORDER BY n",
  );
  const insertFrame = db.prepare(
    "INSERT INTO link_frame (peer, n, seq, agent, json, digest) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const frameOfMail = db.prepare<[number, string], { peer: string; n: number; digest: string }>(
    "SELECT peer, n, digest FROM link_frame WHERE seq = ? AND agent = ?",
  );
  const makeVoid = db.prepare(
    "UPDATE link_frame SET agent = NULL, json = ?, digest = ?, before = ? WHERE peer = ? AND n = ?",
  );
  const removeFrames = db.prepare("DELETE FROM link_frame WHERE peer = ? AND n <= ?");
  const owed = db.prepare<[string, number], { seq: number; nth: number; receipt: string }>(
    "SELECT seq, nth, receipt FROM link_receipt WHERE peer = ? AND n IS NULL ORDER BY seq, nth LIMIT ?",
  );
  const receipt = db
    .prepare<[string, number, number], string>(
      "SELECT receipt FROM link_receipt WHERE peer = ? AND seq = ? AND nth = ?",
    )
    .pluck();
  const owe = db.prepare("REPLACE INTO link_receipt (peer, seq, nth, receipt) VALUES (?, ?, ?, ?)");
  const numberReceipt = db.prepare("UPDATE link_receipt SET n = ? WHERE peer = ? AND seq = ? AND nth = ?");
  const unnumber = db.prepare("UPDATE link_receipt SET n = NULL WHERE peer = ?");
  const removeReceipts = db.prepare("DELETE FROM link_receipt WHERE peer = ? AND (n <= ? OR ? IS NULL)");
  const incoming = db.prepare<
    [string],
    { epoch: string; up_to: number; digest: string | null; retired: string }
  >("SELECT epoch, up_to, digest, retired FROM link_in WHERE peer = ?");
  const putIncoming = db.prepare(
    "REPLACE INTO link_in (peer, epoch, up_to, digest, retired) VALUES (?, ?, ?, ?, ?)",
  );

  function getIncoming(peer: PeerName): Incoming | undefined {
    const row = incoming.get(peer);
    return row && { epoch: row.epoch, upTo: row.up_to, digest: row.digest, retired: toEpochs(row.retired) };
  }

  function receive(peer: PeerName, epoch: string, upTo: number, digest: string | null) {
    const before = getIncoming(peer);
    const isNew = before !== undefined && before.epoch !== epoch;
    const retired = [...(before?.retired ?? []), ...(isNew ? [before.epoch] : [])];
    putIncoming.run(peer, epoch, upTo, digest, JSON.stringify(retired));
  }

  type Told = Omit<LinkReceipt, "id" | "from" | "at">;

  /** Of mail that came from another hub, that hub is told how far it has come. Receipts are not receipted: they are no mail. */
  function tell(event: { seq: number; at: number }, deliveries: readonly DeliveryRef[], told: Told) {
    if (peers.isEmpty()) return;
    deliveries.forEach(({ id, from, seq }, nth) => {
      const sender = peers.agent(from);
      if (sender === undefined || sender.remote === null || peers.byName(sender.peer)?.kind !== "hub") return;
      // Those came as news of a request, not as mail.
      const type = sources.messages.bySeq(seq)?.data.message.type;
      if (type === "request" || type === "nudge") return;
      const one: LinkReceipt = { id, from: sender.remote, at: event.at, ...told };
      oweOne(sender.peer, event.seq, nth, { receipt: one });
    });
  }

  function oweOne(peer: PeerName, seq: number, nth: number, one: Owed) {
    owe.run(peer, seq, nth, JSON.stringify("receipt" in one ? one.receipt : one));
  }

  /** Those that a request is shared with hear what becomes of it. */
  function tellNews(
    seq: number,
    note: RequestNote,
    request: Pick<Request, "hubs" | "hub"> | undefined = requests.byId(note.request),
  ) {
    if (peers.isEmpty() || request === undefined) return;
    toldOf(request, note.state === "left").forEach((peer, nth) => {
      if (peers.byName(peer)?.kind === "hub") oweOne(peer, seq, nth, { note });
    });
  }

  /** A number once given is always filled. */
  function voidMail(agent: AgentId, seq: number) {
    if (peers.agent(agent) === undefined) return;
    const numbered = frameOfMail.get(seq, agent);
    if (numbered === undefined) return;
    const json = JSON.stringify({ n: numbered.n, kind: "void" } satisfies Frame);
    makeVoid.run(json, digestOf(json), numbered.digest, numbered.peer, numbered.n);
  }

  function number({ data: { peer, frames: numbered }, hubTime }: EventOf<"FramesNumbered">) {
    for (const one of numbered) {
      const stored = "nth" in one ? receipt.get(peer, one.seq, one.nth) : undefined;
      const json = JSON.stringify(frameOf(one, toOwed(stored), { peer, now: hubTime }, sources));
      insertFrame.run(peer, one.n, one.seq, "agent" in one ? one.agent : null, json, digestOf(json));
      if ("nth" in one) numberReceipt.run(one.n, peer, one.seq, one.nth);
      setNext.run(one.n + 1, peer);
    }
  }

  /** What a request says is read when it goes. */
  function sizeOf(one: Owed | undefined): number {
    const asked: Pick<Request, "description" | "context"> | undefined =
      one !== undefined && "note" in one && one.note.state === "open"
        ? requests.byId(one.note.request)
        : undefined;
    return Buffer.byteLength(asked?.description ?? "") + Buffer.byteLength(asked?.context ?? "");
  }

  return {
    tables: ["link_out", "link_frame", "link_receipt", "link_in"],
    folds: {
      EpochBegun({ data: { peer, epoch } }) {
        putOutgoing.run(peer, epoch, 1, 0);
        removeFrames.run(peer, Number.MAX_SAFE_INTEGER);
        unnumber.run(peer);
      },
      FramesNumbered: number,
      FramesAcknowledged({ data: { peer, upTo } }) {
        setAcked.run(upTo, peer);
        removeFrames.run(peer, upTo);
        removeReceipts.run(peer, upTo, upTo);
      },
      LinkGap({ data: { peer, epoch, to } }) {
        receive(peer, epoch, to, null);
      },
      FramesReceived({ seq, data: { peer, epoch, upTo, digest, refused = [] } }) {
        receive(peer, epoch, upTo, digest);
        refused.forEach((one, nth) => {
          oweOne(peer, seq, nth, { receipt: one });
        });
      },
      PeerRemoved({ data: { name } }) {
        // What came stays known: the same hub may be added again, and goes on from there.
        removeOutgoing.run(name);
        removeFrames.run(name, Number.MAX_SAFE_INTEGER);
        removeReceipts.run(name, null, null);
      },
      RequestOpened({ seq, data: { request } }) {
        tellNews(seq, { request: request.id, state: "open" }, request);
      },
      RequestNudged({ seq, data: { request } }) {
        tellNews(seq, { request, state: "open" });
      },
      RequestReopened({ seq, data: { request, by } }) {
        const known = requests.byId(request);
        if (known?.hub === undefined) tellNews(seq, { request, state: "open" }, known);
        else if (by !== SOMEBODY_ELSEWHERE) tellNews(seq, { request, state: "left", by }, known);
      },
      RequestClaimed({ seq, data: { request, by, byName, passed } }) {
        const news = { request, state: "claimed", by, byName } as const;
        tellNews(seq, passed === undefined ? news : { ...news, passed });
      },
      RequestAnswered({ seq, data: { request, by, byName } }) {
        tellNews(seq, { request, state: "answered", by, byName });
      },
      RequestExpired({ seq, data: { request } }) {
        tellNews(seq, { request, state: "expired" });
      },
      MessagesInjected(event) {
        tell(event, event.data.deliveries, { state: "injected", evidence: event.data.evidence });
      },
      MessagesSeen(event) {
        tell(event, event.data.deliveries, { state: "seen", evidence: event.data.evidence });
      },
      MessagesFinished(event) {
        tell(event, event.data.deliveries, { state: "finished", evidence: event.data.stop });
      },
      MessageAnswered(event) {
        tell(event, [event.data.delivery], { state: "answered", by: event.data.by });
      },
      MessageExpired(event) {
        tell(event, [event.data.delivery], { state: "expired" });
        voidMail(event.data.agent, event.data.delivery.seq);
      },
      DeliveriesFailed(event) {
        tell(event, event.data.deliveries, { state: "failed", reason: event.data.reason });
        for (const { seq } of event.data.deliveries) voidMail(event.data.agent, seq);
      },
    },
    outgoing: (peer) => outgoing.get(peer),
    unacknowledged: (peer, after, limit) =>
      frames
        .all(peer, after, limit)
        .map((json) => ({ frame: toFrame(json), bytes: Buffer.byteLength(json) })),
    unacknowledgedSize: (peer) => size.get(peer) ?? { frames: 0, bytes: 0 },
    digestsOf(peer, n) {
      const row = digests.get(peer, n);
      return row === undefined ? [] : [row.digest, ...(row.before === null ? [] : [row.before])];
    },
    mailUpTo: (peer, n) => mail.all(peer, n),
    owed: (peer, limit) =>
      owed.all(peer, limit).map(({ receipt: json, ...place }) => ({ ...place, bytes: sizeOf(toOwed(json)) })),
    incoming: getIncoming,
  };
}

function toFrame(json: string): Frame {
  const frame: unknown = JSON.parse(json);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by `number` and `voidMail`, and nowhere else
  return frame as Frame;
}

function toOwed(json: string | undefined): Owed | undefined {
  const read: unknown = json === undefined ? undefined : JSON.parse(json);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by `oweOne`, and nowhere else
  const owed = read as Exclude<Owed, { receipt: LinkReceipt }> | LinkReceipt | undefined;
  return owed !== undefined && "id" in owed ? { receipt: owed } : owed;
}

function toEpochs(json: string): string[] {
  const epochs: unknown = JSON.parse(json);
  return Array.isArray(epochs) ? epochs.filter((epoch) => typeof epoch === "string") : [];
}
