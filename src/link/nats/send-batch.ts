import { type NatsConnection, PermissionViolationError } from "@nats-io/transport-node";
import { z } from "zod";
import { ackAnswer } from "../../contract/link/batch.js";
import { answered, asked, type MemberEntry } from "../../contract/link/fabric.js";
import { BATCH_BYTES } from "../../fabric/streams.js";
import { ackSubject, linkSubject, originOf } from "../../fabric/subjects.js";
import { HubError } from "../../model/errors.js";
import type { Ack, Batch, HubId } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { unreachable } from "../http/call-peer.js";
import { readAnswer } from "../http/read-answer.js";
import type { Identity } from "../identity.js";
import { type KnownHubs, untrusted } from "../known-hubs.js";
import type { Link, OnHeard } from "../link.js";
import type { LinkHub } from "../link-hub.js";
import { encodeBatch, isAckSigned } from "../sign-batch.js";
import type { After } from "../timers.js";
import { asPeerAnswer, orUnreachable, type Reply } from "./fabric-caller.js";
import type { Ignored } from "./ignored.js";
import { isNobodyThere, lastValue } from "./last-value.js";
import { ackStream, mailboxStream } from "./mailbox-stream.js";
import type { Members } from "./members.js";
import { newMark, readSaid, writeSaid } from "./said.js";
import type { Sealer } from "./seal.js";
import type { UntilClosed } from "./until-closed.js";

type SendOptions = {
  identity: Identity;
  self: LinkHub["self"];
  run?: string | undefined;
  sealer: Sealer;
  members: Members;
  known: KnownHubs;
  connectionTo: (peer: Peer) => NatsConnection;
  untilClosed: UntilClosed;
  onHeard: OnHeard;
  peerOf: (hub: HubId) => Peer | undefined;
  /** An ack that nobody waits for any more. */
  onLateAck: (peer: Peer, ack: Ack) => void;
  /** Nothing hears what goes to mailboxes. */
  onNoStream: () => void;
  /** What comes in the name of a hub and is not from it. */
  ignored: Ignored;
  clock: { wall(): number };
  after: After;
  /** How long an ack is waited for before the batch counts as not taken yet. */
  ackMs: number;
};

export type SendBatch = Required<Pick<Link, "send" | "ahead">> & {
  /** Something on the subjects of acks to this hub. */
  takeAck(subject: string, payload: Uint8Array): void;
  /** Its mail lies on the server, and it did not take it in time. */
  isAway(hub: HubId): boolean;
  /** When that hub last acknowledged something, in wall time. */
  lastAckOf(hub: HubId): number | undefined;
  /** What was under way is unknown from now on. */
  doubt(): void;
};

/** `re`: by which the answer is known. */
type Waiting = {
  re: string;
  peer: Peer;
  batch: Batch;
  settle: (read: () => Ack) => void;
  fail: (error: Error) => void;
};

/**
 * Puts batches into mailboxes and waits for the acks of those that they belong to. That the server has one says nothing: it may lose it.
 * What was not acknowledged is sent again only on evidence that it is gone, else a hub that is away for a week would find it many times.
 */
export function createSendBatch(options: SendOptions): SendBatch {
  const { identity, self, sealer, members, known, connectionTo, onHeard, peerOf, ackMs } = options;
  const waiting = new Map<HubId, Set<Waiting>>();
  /** Hubs of which all is known that was ever sent to them: it was taken. */
  const sure = new Set<HubId>();
  const ackedAt = new Map<HubId, number>();
  /** Nobody waits for the acks of these: they come when they come. */
  const away = new Set<HubId>();

  async function send(peer: Peer, batch: Batch): Promise<Ack> {
    const connection = connectionTo(peer);
    const member = await members.of(connection, peer);
    known.meet(peer, member.key);
    const isSure = sure.has(member.hub);
    const found = isSure ? undefined : await lookFor(connection, peer, member, batch);
    if (found !== undefined && "ack" in found) {
      ackedAt.set(member.hub, options.clock.wall());
      return found.ack;
    }
    try {
      const ack = await putAndWait({ connection, peer, member, batch, isSure }, found);
      sure.add(member.hub);
      return ack;
    } catch (error) {
      sure.delete(member.hub);
      throw error;
    }
  }

  /** Throws what the peer refused, and whatever it did not sign. */
  function readAck(peer: Peer, hub: HubId, reply: Reply) {
    const { ack, at, version, sig } = readAnswer(peer, asPeerAnswer(reply), ackAnswer);
    const { key } = known.of(peer) ?? {};
    if (key === undefined || !isAckSigned({ origin: hub, dest: identity.id }, ack, sig, key))
      throw untrusted(peer, "did not sign its answer with the key that is known");
    return { ack, at, version };
  }

  /** One that came just now: its hub is there. */
  function hearAck(peer: Peer, hub: HubId, reply: Reply): Ack {
    const { ack, at, version } = readAck(peer, hub, reply);
    ackedAt.set(hub, options.clock.wall());
    // Mail waits on the way for any time: the clocks cannot be compared by it.
    onHeard(peer.name, { version, skewMs: skewOf(at) });
    return ack;
  }

  function skewOf(at: number): number {
    const ahead = at - options.clock.wall();
    return Math.max(ahead, 0);
  }

  /** What became of it, where that is not known: acknowledged meanwhile, or still in the mailbox, up to a number. */
  async function lookFor(connection: NatsConnection, peer: Peer, member: MemberEntry, batch: Batch) {
    if (batch.frames.length === 0) return undefined;
    const kept = await lastAck(connection, member.hub);
    const ack = kept === undefined ? undefined : readKept(peer, member.hub, kept);
    if (ack?.epoch === batch.epoch && ack.upTo >= batch.low) return { ack };
    const mailbox = linkSubject(member.hub, identity.id);
    const stream = await mailboxStream(connection, member.hub);
    const newest = await lastValue(connection, stream, mailbox, ackMs);
    return newest === undefined ? undefined : readOwn(member, newest, batch);
  }

  /** Where nothing keeps acks, or this hub may not look, there is none: what the other has it says again. */
  async function lastAck(connection: NatsConnection, hub: HubId): Promise<Uint8Array | undefined> {
    try {
      const stream = await ackStream(connection);
      return await lastValue(connection, stream, ackSubject(identity.id, hub), ackMs);
    } catch (error) {
      if (error instanceof PermissionViolationError) return undefined;
      if (!isNobodyThere(error)) throw error;
      options.onNoStream();
      return undefined;
    }
  }

  /** What anybody can be made to leave there is no ack, and a refusal is of another time. That one lies there does not say that its hub is there now. */
  function readKept(peer: Peer, hub: HubId, payload: Uint8Array): Ack | undefined {
    const reply = readReply(hub, payload);
    if (reply === undefined) return undefined;
    try {
      return readAck(peer, hub, reply).ack;
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      return undefined;
    }
  }

  /** What that hub said of a batch; undefined for what is not from it, or no such thing. */
  function readReply(hub: HubId, payload: Uint8Array): Reply | undefined {
    const opened = sealer.open("ack", hub, payload);
    const reply = opened.kind === "opened" ? readSaid(answered, opened.content) : undefined;
    if (reply === undefined)
      options.ignored(
        hub,
        opened.kind === "forged" ? `whoever acknowledged in its name ${opened.why}` : "it is no ack",
      );
    return reply;
  }

  function readOwn({ hub, box }: MemberEntry, payload: Uint8Array, batch: Batch): Lying | undefined {
    const content = sealer.openOwn("batch", { id: hub, box }, payload);
    const said = content === undefined ? undefined : readSaid(asked, content);
    if (said === undefined) return undefined;
    const sent = sentBatch.safeParse(parse(said.body)).data;
    const upTo = sent?.frames.at(-1)?.n ?? 0;
    return sent?.epoch === batch.epoch && upTo >= batch.low ? { re: said.head.re, upTo } : undefined;
  }

  function putAndWait(sent: Sent, lying: Lying | undefined): Promise<Ack> {
    const { connection, peer, member, batch } = sent;
    // What lies there already does not go again; what came to it goes behind it.
    const isThere = lying !== undefined && lying.upTo >= lastOf(batch);
    const rest = { ...batch, frames: batch.frames.filter(({ n }) => n > (lying?.upTo ?? 0)) };
    const re = isThere ? lying.re : newMark();
    const payload = isThere ? undefined : encode(member, re, rest);
    const limit = Math.min(BATCH_BYTES, connection.info?.max_payload ?? BATCH_BYTES);
    if (payload !== undefined && payload.length > limit) throw tooLarge(peer, `${payload.length} bytes`);
    return new Promise((resolve, reject) => {
      const own = remember(waiting, member.hub);
      const end = (act: () => void) => {
        own.delete(one);
        callOff();
        act();
      };
      const one: Waiting = {
        re,
        peer,
        batch,
        settle: (read) => end(() => resolve(Promise.resolve().then(read))),
        fail: (error) => end(() => reject(error)),
      };
      own.add(one);
      const giveUp = () => one.fail(unreachable(peer, NOT_TAKEN));
      const lies = () => {
        isStored = true;
        if (away.has(member.hub)) giveUp();
      };
      let isStored = false;
      const callOff = options.after(ackMs, () => {
        if (isStored) away.add(member.hub);
        giveUp();
      });
      if (payload === undefined) lies();
      else put(sent, payload, { ...one, lies });
    });
  }

  function encode({ hub, box }: MemberEntry, re: string, batch: Batch): Buffer {
    const body = encodeBatch(identity, { dest: hub, from: self.name, run: options.run, batch });
    return sealer.seal("batch", { id: hub, box }, writeSaid(asked, { re, path: "/agent/link" }, body));
  }

  /**
   * That it lies there says nothing; that it cannot lie there ends the wait. No answer at all is unknown. A hub that took all there ever was
   * is there, and its own answer is the next thing to come: the server is not asked for one. Should neither come, the next try looks.
   */
  function put(
    { connection, peer, member, isSure }: Sent,
    payload: Buffer,
    one: Pick<Waiting, "fail"> & { lies: () => void },
  ) {
    const subject = linkSubject(member.hub, identity.id);
    if (isSure) {
      connection.publish(subject, payload);
      return;
    }
    connection.request(subject, payload, { timeout: ackMs }).then(
      ({ data }) => {
        const refused = pubAnswer.safeParse(parse(data)).data?.error;
        if (refused === undefined) {
          one.lies();
          return;
        }
        const { description, err_code: code } = refused;
        if (code === TOO_LARGE) one.fail(tooLarge(peer, description));
        else one.fail(unreachable(peer, `has a mailbox that takes no more (${description})`));
      },
      (error: unknown) => {
        if (!isNobodyThere(error)) return;
        options.onNoStream();
        one.fail(
          unreachable(peer, "has no mailbox: the fabric's streams are gone, and its steward makes them"),
        );
      },
    );
  }

  function takeAck(subject: string, payload: Uint8Array) {
    const hub = originOf(subject, (origin) => ackSubject(identity.id, origin));
    const peer = hub === undefined ? undefined : peerOf(hub);
    if (hub === undefined) return;
    // A member can be made to publish what it never meant, and anybody in another's name: that is nothing.
    const reply = readReply(hub, payload);
    if (reply === undefined) return;
    away.delete(hub);
    const { status, re } = reply.head;
    const own = [...(waiting.get(hub) ?? [])];
    const ack = status === 200 ? ackAnswer.safeParse(parse(reply.body)).data?.ack : undefined;
    const named = own.find((one) => one.re === re);
    const meant = own.filter(
      (one) => one === named || (ack !== undefined && (covers(ack, one.batch) || isBefore(one, named))),
    );
    const [first] = meant;
    if (first === undefined) {
      if (ack !== undefined && peer !== undefined) takeLate(peer, hub, reply);
      return;
    }
    const read = once(() => hearAck(first.peer, hub, reply));
    for (const one of meant) one.settle(read);
  }

  function takeLate(peer: Peer, hub: HubId, reply: Reply) {
    try {
      options.onLateAck(peer, hearAck(peer, hub, reply));
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
    }
  }

  return {
    send: (peer, batch) => options.untilClosed.run(() => orUnreachable(peer, send(peer, batch))),
    ahead: ({ hubId }) => (hubId !== null && sure.has(hubId) && !away.has(hubId) ? AHEAD : 1),
    takeAck,
    isAway: (hub) => away.has(hub),
    lastAckOf: (hub) => ackedAt.get(hub),
    doubt() {
      sure.clear();
      away.clear();
    },
  };
}

type Sent = { connection: NatsConnection; peer: Peer; member: MemberEntry; batch: Batch; isSure: boolean };

/** Batches on their way to a hub that is there: it answers them together. */
const AHEAD = 8;

const NOT_TAKEN = "has not taken it yet; it waits on the fabric until that hub is there";

/** Of the newest own batch in a mailbox. */
type Lying = { re: string; upTo: number };

/** "Message size exceeds maximum allowed". */
const TOO_LARGE = 10_054;

const pubAnswer = z.object({
  error: z.object({ description: z.string(), err_code: z.number().optional() }).optional(),
});

const sentBatch = z.object({ epoch: z.string(), frames: z.array(z.looseObject({ n: z.number() })) });

function tooLarge(peer: Peer, problem: string): HubError {
  const details = { peer: peer.name, status: 413 };
  return new HubError(
    "PEER_REFUSED",
    `The fabric carries nothing as large to "${peer.name}" (${problem})`,
    details,
  );
}

/** Batches are taken in their order: the answer to one is what those before it came to as well. */
function isBefore({ batch }: Waiting, named: Waiting | undefined): boolean {
  if (named === undefined || batch.epoch !== named.batch.epoch) return false;
  return batch.frames.length > 0 && lastOf(batch) < lastOf(named.batch);
}

function covers(ack: Ack, batch: Batch): boolean {
  return batch.frames.length > 0 && ack.epoch === batch.epoch && ack.upTo >= lastOf(batch);
}

function lastOf({ frames }: Batch): number {
  return frames.at(-1)?.n ?? 0;
}

/** The same each time, found out at the first. */
function once<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

function remember(map: Map<HubId, Set<Waiting>>, hub: HubId): Set<Waiting> {
  const set = map.get(hub) ?? new Set();
  map.set(hub, set);
  return set;
}

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString("utf8"));
  } catch {
    return undefined;
  }
}
