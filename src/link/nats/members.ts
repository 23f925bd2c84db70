import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { LRUCache } from "lru-cache";
import { type MemberEntry, memberEntry } from "../../contract/link/fabric.js";
import { memberSubject, originOf, REGISTER_STREAM } from "../../fabric/subjects.js";
import type { Clock } from "../../model/clock.js";
import type { HubId } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { unreachable } from "../http/call-peer.js";
import { type Identity, isSignedBy, readPublicKey } from "../identity.js";
import { untrusted } from "../known-hubs.js";
import { lastValue } from "./last-value.js";
import type { Sealer } from "./seal.js";

/** The hubs of the fabric, as each of them says who it is. */
export type Members = {
  /** Tells the others who this hub is. */
  announce(connection: NatsConnection): void;
  /** Undefined: no such hub was ever here. Throws PEER_UNTRUSTED for an entry that its own key did not sign. */
  find(connection: NatsConnection, hub: HubId, name: string): Promise<MemberEntry | undefined>;
  /** The ids of all hubs that were there in the last thirty days. */
  list(connection: NatsConnection): Promise<HubId[]>;
  /** The one that a peer is. Throws PEER_UNREACHABLE where it is none. */
  of(connection: NatsConnection, peer: Place): Promise<MemberEntry>;
};

type Place = Pick<Peer, "name" | "host" | "port"> & Partial<Pick<Peer, "hubId">>;

type MembersOptions = {
  identity: Identity;
  sealer: Sealer;
  self: { name: string };
  clock: Clock;
  answerMs: number;
};

const KEPT = 2000;

export function createMembers({ identity, sealer, self, clock, answerMs }: MembersOptions): Members {
  const kept = new LRUCache<HubId, MemberEntry>({ max: KEPT });

  function read(hub: HubId, name: string, payload: Uint8Array): MemberEntry {
    const entry = memberEntry.safeParse(parse(payload)).data;
    const key = entry === undefined ? undefined : readPublicKey(entry.key);
    const isOwn =
      entry?.hub === hub &&
      key !== undefined &&
      sealer.isCertified(hub, entry) &&
      isSignedBy(key, entryText(entry), entry.sig);
    if (!isOwn) throw untrusted({ name }, "is on the fabric under a key that is not its own");
    return entry;
  }

  async function find(connection: NatsConnection, hub: HubId, name: string) {
    const known = kept.get(hub);
    if (known !== undefined) return known;
    const payload = await lastValue(connection, REGISTER_STREAM, memberSubject(hub), answerMs);
    if (payload === undefined) return undefined;
    const entry = read(hub, name, payload);
    kept.set(hub, entry);
    return entry;
  }

  return {
    announce(connection) {
      const said = { v: 1 as const, hub: identity.id, key: identity.publicKey, ...sealer.own };
      const entry = { ...said, name: self.name, at: clock.wall() };
      const sig = identity.sign(entryText(entry));
      connection.publish(memberSubject(identity.id), JSON.stringify({ ...entry, sig }));
    },
    find,
    async list(connection) {
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs });
      const { state } = await manager.streams.info(REGISTER_STREAM, { subjects_filter: memberSubject("*") });
      return Object.keys(state.subjects ?? {}).flatMap((subject) => originOf(subject, memberSubject) ?? []);
    },
    async of(connection, peer) {
      const { hubId = null } = peer;
      const entry = hubId === null ? undefined : await find(connection, hubId, peer.name);
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
