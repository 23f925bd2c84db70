import type { AgentId } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { groupBy } from "../../model/group-by.js";
import type { Batch, Frame } from "../../model/link.js";
import type { PeerName } from "../../model/peer.js";
import type { NumberedFrame } from "../../model/peer-events.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext, HubDecider } from "../context.js";
import { findPeer } from "../rules/find-peer.js";

/** So much is a batch. */
const MOST = { frames: 64, bytes: 256 * 1024 };
/** So much goes ahead of the last ack, where several batches may be under way. */
const AHEAD = { frames: 256, bytes: 1024 * 1024 };
/** What a frame is besides its text, about. */
const FRAME_BYTES = 600;

/** What may get the next number; `seq` is its place in the journal, by which they go. */
type Candidate =
  | { kind: "mail"; seq: number; agent: AgentId; attempt: number; bytes: number }
  | { kind: "owed"; seq: number; nth: number; bytes: number };

/** `after`: all up to that number is under way, and this is to go behind it. */
type NumberFrames = { peer: PeerName; after?: number | undefined };

/**
 * Gives numbers to what waits for a peer, in the order in which it came to be, and answers what the peer has not acknowledged, as far as
 * it fits into a batch. That mail was handed over is on disk before it leaves.
 */
export const numberFrames: HubDecider<NumberFrames, Batch | undefined> = ({ peer, after }, context) => {
  const { views, newId } = context;
  if (findPeer(views, peer).kind === "plain") return { events: [], answer: () => undefined };
  const outgoing = views.linkFrames.outgoing(peer);
  const ahead = views.linkFrames.unacknowledgedSize(peer);
  const isFull = after !== undefined && outgoing !== undefined && outgoing.next - 1 - after >= MOST.frames;
  const chosen = isFull
    ? []
    : choose(waitingFor(peer, ahead.frames, context), ahead, after === undefined ? MOST : AHEAD);
  if (chosen.length === 0) return { events: [], answer: () => batchOf(views, peer, after) };
  const epoch = outgoing?.epoch ?? newId();
  const frames = chosen.map((one, i) => numbered(one, (outgoing?.next ?? 1) + i));
  const events: NewEvent[] = [
    ...(outgoing === undefined ? [newEvent("EpochBegun", null, { peer, epoch, reason: "first" })] : []),
    newEvent("FramesNumbered", null, { peer, epoch, frames }),
    ...offers(chosen, context),
  ];
  return { events, answer: () => batchOf(views, peer, after) };
};

function waitingFor(peer: PeerName, ahead: number, { views }: HubContext): Candidate[] {
  const { peers, inbox, messages, linkFrames } = views;
  const numberedMail = ahead === 0 ? [] : linkFrames.mailUpTo(peer, Number.MAX_SAFE_INTEGER);
  const has = new Set(numberedMail.map(({ seq }) => seq));
  const mail = peers
    .agentsOf(peer)
    .filter(({ id }) => inbox.depth(id) > 0)
    .flatMap(({ id }) => inbox.unread(id, 0, MOST.frames + has.size))
    .filter(({ seq }) => !has.has(seq))
    .sort((a, b) => a.seq - b.seq)
    .slice(0, MOST.frames)
    .flatMap(({ seq, recipient, attempt }): Candidate[] => {
      const message = messages.bySeq(seq)?.data.message;
      if (message === undefined) return [];
      const bytes = Buffer.byteLength(message.content) + Buffer.byteLength(message.context ?? "");
      return [{ kind: "mail", seq, agent: recipient, attempt, bytes: bytes + FRAME_BYTES }];
    });
  const owed = linkFrames
    .owed(peer, MOST.frames)
    .map(({ seq, nth, bytes }): Candidate => ({ kind: "owed", seq, nth, bytes: bytes + FRAME_BYTES }));
  return [...mail, ...owed].sort((a, b) => a.seq - b.seq);
}

type Size = { frames: number; bytes: number };

/** As many as there is room for, and as a batch holds; a large one goes alone. */
function choose(waiting: readonly Candidate[], ahead: Size, most: Size): Candidate[] {
  const chosen: Candidate[] = [];
  let { frames, bytes } = ahead;
  for (const one of waiting) {
    if (chosen.length === MOST.frames || frames >= most.frames) break;
    if (frames > 0 && bytes + one.bytes > most.bytes) break;
    frames++;
    bytes += one.bytes;
    chosen.push(one);
  }
  return chosen;
}

function numbered(one: Candidate, n: number): NumberedFrame {
  return one.kind === "mail" ? { n, seq: one.seq, agent: one.agent } : { n, seq: one.seq, nth: one.nth };
}

function offers(chosen: readonly Candidate[], { views }: HubContext): NewEvent[] {
  const mail = chosen.flatMap((one) => (one.kind === "mail" ? [one] : []));
  return [...groupBy(mail, ({ agent }) => agent)].map(([agent, own]) =>
    newEvent("MessagesOffered", agent, {
      agent,
      route: "link",
      deliveries: own.flatMap(({ seq, attempt }) => {
        const message = views.messages.bySeq(seq)?.data.message;
        return message === undefined
          ? []
          : [{ seq, id: message.id, from: message.from, attempt: attempt + 1 }];
      }),
    }),
  );
}

/** What is not acknowledged, as far as it fits. `low` is the oldest number that this hub can still fill. */
function batchOf({ linkFrames }: TightViews, peer: PeerName, after = 0): Batch | undefined {
  const outgoing = linkFrames.outgoing(peer);
  const frames: Frame[] = [];
  let size = 0;
  for (const { frame, bytes } of linkFrames.unacknowledged(peer, after, MOST.frames)) {
    size += bytes;
    if (frames.length > 0 && size > MOST.bytes) break;
    frames.push(frame);
  }
  if (outgoing === undefined || frames.length === 0) return undefined;
  return { epoch: outgoing.epoch, low: outgoing.acked + 1, frames };
}
