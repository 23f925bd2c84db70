import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { LRUCache } from "lru-cache";
import { type MemberEntry, memberEntry } from "../../contract/link/fabric.js";
import { memberSubject, originOf, REGISTER_STREAM } from "../../fabric/subjects.js";
import type { Clock } from "../../model/clock.js";
import type { HubId, MemberName } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { unreachable } from "../http/call-peer.js";
import { type Identity, isSignedBy, readPublicKey } from "../identity.js";
import type { Ignored } from "./ignored.js";
import { lastValue } from "./last-value.js";
import type { Sealer } from "./seal.js";

/** The hubs of the fabric, as each of them says who it is. */
export type Members = {
  /** Tells the others who this hub is. Resolves once the server has it: whom it asks from then on knows who asks. */
  announce(connection: NatsConnection): Promise<void>;
  /** Undefined: no such hub was ever here, or what lies there is not its own entry. */
  find(connection: NatsConnection, hub: HubId): Promise<MemberEntry | undefined>;
  /** The ids of all hubs that were there in the last thirty days, in their order. */
  list(connection: NatsConnection): Promise<HubId[]>;
  /** What each of them calls itself: of 10,000 at most. Asked often, it is read once in a while. */
  names(connection: NatsConnection): Promise<MemberNames>;
  /** The one that a peer is. Throws PEER_UNREACHABLE where it is none. */
  of(connection: NatsConnection, peer: Place): Promise<MemberEntry>;
};

/** `isCut`: there are more than are listed. */
export type MemberNames = { members: readonly MemberName[]; isCut: boolean };

type Place = Pick<Peer, "name" | "host" | "port"> & Partial<Pick<Peer, "hubId">>;

type MembersOptions = {
  identity: Identity;
  sealer: Sealer;
  self: { name: string };
  clock: Clock;
  answerMs: number;
  ignored: Ignored;
};

const KEPT = 2000;
const NAMED = 10_000;
/** A hub that calls itself otherwise is found by its new name after so long. */
const NAME_MS = 10 * 60_000;
/** Who joined since is found after so long. */
const LIST_MS = 1000;
const AT_ONCE = 16;

export function createMembers(options: MembersOptions): Members {
  const { identity, sealer, self, clock, answerMs, ignored } = options;
  const kept = new LRUCache<HubId, MemberEntry>({ max: KEPT });
  /** Null: its entry is not its own, so nobody has that name. */
  const called = new LRUCache<HubId, { name: string | null; at: number }>({ max: NAMED });
  let listed: { at: number; names: Promise<MemberNames> } | undefined;

  /** The server's own answers can be led there: what is not signed says nothing of that hub. */
  function read(hub: HubId, payload: Uint8Array): MemberEntry | undefined {
    const entry = memberEntry.safeParse(parse(payload)).data;
    const key = entry === undefined ? undefined : readPublicKey(entry.key);
    const isOwn =
      entry?.hub === hub &&
      key !== undefined &&
      sealer.isCertified(hub, entry) &&
      isSignedBy(key, entryText(entry), entry.sig);
    if (!isOwn) ignored(hub, "what says who it is was not signed by its key");
    return isOwn ? entry : undefined;
  }

  async function find(connection: NatsConnection, hub: HubId) {
    return kept.get(hub) ?? fetch(connection, hub);
  }

  async function fetch(connection: NatsConnection, hub: HubId) {
    const payload = await lastValue(connection, REGISTER_STREAM, memberSubject(hub), answerMs);
    if (payload === undefined) return undefined;
    const entry = read(hub, payload);
    if (entry !== undefined) kept.set(hub, entry);
    return entry;
  }

  async function list(connection: NatsConnection): Promise<HubId[]> {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs });
    const { state } = await manager.streams.info(REGISTER_STREAM, { subjects_filter: memberSubject("*") });
    return Object.keys(state.subjects ?? {})
      .flatMap((subject) => originOf(subject, memberSubject) ?? [])
      .sort();
  }

  async function readNames(connection: NatsConnection): Promise<MemberNames> {
    const all = await list(connection);
    const ids = all.slice(0, NAMED);
    const left = ids.values();
    const work = async () => {
      for (const id of left) await learnName(connection, id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const members = ids.flatMap((id) => {
      const name = called.get(id)?.name ?? null;
      return name === null ? [] : [{ id, name }];
    });
    return { members, isCut: all.length > ids.length };
  }

  async function learnName(connection: NatsConnection, id: HubId) {
    const before = called.get(id);
    if (before !== undefined && clock.monotonic() - before.at < NAME_MS) return;
    const entry = await fetch(connection, id);
    called.set(id, { name: entry?.name ?? null, at: clock.monotonic() });
  }

  return {
    async announce(connection) {
      const said = { v: 1 as const, hub: identity.id, key: identity.publicKey, ...sealer.own };
      const entry = { ...said, name: self.name, at: clock.wall() };
      const sig = identity.sign(entryText(entry));
      await connection.request(memberSubject(identity.id), JSON.stringify({ ...entry, sig }), {
        timeout: answerMs,
      });
    },
    find,
    list,
    names(connection) {
      const now = clock.monotonic();
      if (listed !== undefined && now - listed.at < LIST_MS) return listed.names;
      const names = readNames(connection);
      listed = { at: now, names };
      names.catch(() => {
        if (listed?.names === names) listed = undefined;
      });
      return names;
    },
    async of(connection, peer) {
      const { hubId = null } = peer;
      const entry = hubId === null ? undefined : await find(connection, hubId);
      if (entry === undefined) throw unreachable(peer, "is not on the fabric");
      return entry;
    },
  };
}

function entryText({ v, hub, box, name, at }: Omit<MemberEntry, "sig">): string {
  return `huddle fabric member\n${JSON.stringify([v, hub, box, name, at])}`;
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString("utf8"));
  } catch {
    return undefined;
  }
}
