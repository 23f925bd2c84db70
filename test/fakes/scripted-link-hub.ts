import { createHash } from "node:crypto";
import type { LinkHub } from "../../src/link/link-hub.js";
import type { Batch, DirectoryEntry, Frame, HubId, LinkMail } from "../../src/model/link.js";
import type { Peer, PeerName } from "../../src/model/peer.js";

/** A hub as links see it: numbers, acknowledgements and gaps as in the rules, in memory, and what a test wants it to say. */
export type ScriptedLinkHub = LinkHub & {
  setPeers(peers: readonly Peer[]): void;
  /** Mail for a peer, which then may be taken. */
  post(peer: PeerName, ...texts: string[]): void;
  /** The texts that came from a peer, in order. */
  got(peer: PeerName): string[];
  /** Those that a peer has taken or refused. */
  taken(peer: PeerName): string[];
  refused: { text: string; reason: string }[];
  /** How often it was asked for something to send. */
  asked(): number;
  isBusy: boolean;
  /** What it believes that peers have acknowledged; empty unless a test says so. */
  sentTo: Map<PeerName, { epoch: string; acked: number }>;
  /** The batches that came, whatever was in them. */
  batches: Batch[];
  agents: readonly DirectoryEntry[];
  setAgents(agents: readonly DirectoryEntry[]): void;
  /** Who of peers claimed what. */
  claims: Map<string, string>;
  /** Runs before frames or messages are stored. */
  beforeReceive: () => Promise<void>;
};

type Row = { epoch: string; frames: Frame[]; next: number };

export function createScriptedLinkHub(name: string, id: HubId, mailPerBatch = 64): ScriptedLinkHub {
  let peers: readonly Peer[] = [];
  const changed = new Set<() => void>();
  const directoryChanged = new Set<() => void>();
  const workers = new Set<(peer: PeerName) => void>();
  const rows = new Map<PeerName, Row>();
  const inboxes = new Map<
    PeerName,
    { epoch: string; upTo: number; digest: string | null; texts: string[] }
  >();
  const taken = new Map<PeerName, string[]>();
  let asked = 0;

  const rowOf = (peer: PeerName) => remember(rows, peer, () => ({ epoch: "e1", frames: [], next: 1 }));
  const inboxOf = (peer: PeerName) =>
    remember(inboxes, peer, () => ({ epoch: "", upTo: 0, digest: null, texts: [] }));
  const takenOf = (peer: PeerName) => remember(taken, peer, () => []);
  const isPlain = (peer: PeerName) => peers.find((one) => one.name === peer)?.kind === "plain";

  const hub: ScriptedLinkHub = {
    self: { id, name, version: "0.1.0-test" },
    peers: () => peers,
    onPeersChanged: (listener) => subscribe(changed, listener),
    async learnHub() {},
    onWork: (listener) => subscribe(workers, listener),
    async numberFrames(peer, after) {
      asked++;
      const { epoch, frames } = rowOf(peer);
      const [first] = frames;
      if (first === undefined) return undefined;
      const from = after === undefined ? 0 : after + 1 - first.n;
      const next = frames.slice(from, from + mailPerBatch);
      return next.length === 0 ? undefined : { epoch, low: first.n, frames: next };
    },
    async acknowledgeFrames(peer, ack) {
      const row = rowOf(peer);
      const done = row.frames.filter(({ n }) => n <= ack.upTo);
      const last = done.at(-1);
      if (last?.n === ack.upTo && digestOf(last) !== ack.digest) throw new Error("another history");
      row.frames = row.frames.filter(({ n }) => n > ack.upTo);
      takenOf(peer).push(...done.flatMap(textsIn));
    },
    async frameRefused(peer, { n, reason }) {
      const row = rowOf(peer);
      for (const text of row.frames.filter((frame) => frame.n === n).flatMap(textsIn))
        hub.refused.push({ text, reason });
      row.frames = row.frames.map((frame) => (frame.n === n ? { n, kind: "void" } : frame));
    },
    sent: (peer) => hub.sentTo.get(peer),
    received: (peer) => (inboxOf(peer).epoch === "" ? undefined : inboxOf(peer)),
    async receiveFrames(peer, batch: Batch) {
      const { epoch, frames } = batch;
      hub.batches.push(batch);
      await hub.beforeReceive();
      const inbox = inboxOf(peer);
      if (inbox.epoch !== epoch) Object.assign(inbox, { epoch, upTo: (frames[0]?.n ?? 1) - 1, digest: null });
      for (const frame of frames) {
        if (frame.n <= inbox.upTo) continue;
        if (frame.n > inbox.upTo + 1) {
          return { epoch, upTo: inbox.upTo, digest: inbox.digest, want: inbox.upTo + 1 };
        }
        inbox.upTo = frame.n;
        inbox.digest = digestOf(frame);
        inbox.texts.push(...textsIn(frame));
      }
      return { epoch, upTo: inbox.upTo, digest: inbox.digest };
    },
    async receiveFromPeer(peer, mail) {
      await hub.beforeReceive();
      inboxOf(peer).texts.push(mail.content);
      return { isBusy: hub.isBusy };
    },
    async nextPlain(peer) {
      asked++;
      const [first] = rowOf(peer).frames;
      return first?.kind === "mail" ? { ...first.mail, seq: first.n } : undefined;
    },
    async plainTaken(peer, seq) {
      takenOf(peer).push(...dropPlain(peer, seq));
    },
    async plainRefused(peer, seq, reason) {
      for (const text of dropPlain(peer, seq)) hub.refused.push({ text, reason });
    },
    onDirectoryChanged: (listener) => subscribe(directoryChanged, listener),
    async claimForPeer(_, { request, by }) {
      const before = hub.claims.get(request);
      if (before === undefined) hub.claims.set(request, by.name);
      return before === undefined || before === by.name
        ? { claimed: true, status: "claimed" }
        : { claimed: false, status: "claimed", by: before };
    },
    directory: () => hub.agents,
    setAgents(now) {
      hub.agents = now;
      for (const listener of directoryChanged) listener();
    },
    claims: new Map(),
    agents: [{ id: "a1", name: "ana", team: "main", label: null, status: "idle" }],
    status: (agent) => ({ name: agent ?? name, status: hub.isBusy ? "busy" : "idle" }),
    setPeers(now) {
      peers = now;
      for (const listener of changed) listener();
    },
    post(peer, ...texts) {
      const row = rowOf(peer);
      for (const text of texts) {
        const n = row.next++;
        row.frames.push({ n, kind: "mail", mail: linkMail(text, isPlain(peer) ? `p-${n}` : `m-${n}`) });
      }
      for (const listener of workers) listener(peer);
    },
    got: (peer) => inboxOf(peer).texts,
    taken: takenOf,
    refused: [],
    asked: () => asked,
    isBusy: false,
    sentTo: new Map(),
    batches: [],
    beforeReceive: async () => {},
  };

  function dropPlain(peer: PeerName, seq: number): string[] {
    const row = rowOf(peer);
    const done = row.frames.filter(({ n }) => n === seq);
    row.frames = row.frames.filter(({ n }) => n !== seq);
    return done.flatMap(textsIn);
  }
  return hub;
}

export function linkMail(content: string, id: string): LinkMail {
  return {
    id,
    type: "message",
    from: { id: "a1", name: "ana", team: "main" },
    to: {},
    content,
    attention: "queue",
    at: Date.parse("2026-01-05T09:00:00Z"),
    conversation: `c-${id}`,
    hop: 0,
  };
}

const textsIn = (frame: Frame) => (frame.kind === "mail" ? [frame.mail.content] : []);

export const digestOf = (frame: Frame | undefined) =>
  createHash("sha256")
    .update(JSON.stringify(frame ?? null))
    .digest("hex");

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function remember<T>(map: Map<PeerName, T>, key: PeerName, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
