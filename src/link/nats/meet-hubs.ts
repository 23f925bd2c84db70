import type { NatsConnection } from "@nats-io/transport-node";
import type { MemberEntry } from "../../contract/link/fabric.js";
import { HubError } from "../../model/errors.js";
import type { HubId } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import type { LinkHub } from "../link-hub.js";
import type { LinkLog } from "../link-log.js";
import { MOST_WATCHED } from "../watched.js";
import type { Members } from "./members.js";

/** Makes peers of hubs of the fabric. */
export type MeetHubs = {
  /** Makes it a peer, unless it is one; undefined where no such hub is known, or the fabric is away. */
  meet(hub: HubId): Promise<Peer | undefined>;
  /** Some of those that are there, while there is room. */
  meetOthers(connection: NatsConnection): Promise<void>;
};

type MeetOptions = {
  hub: LinkHub;
  members: Members;
  now: () => NatsConnection | undefined;
  adopt: (member: MemberEntry) => Promise<void>;
  log: LinkLog;
};

export function createMeetHubs({ hub, members, now, adopt, log }: MeetOptions): MeetHubs {
  const adopting = new Map<HubId, Promise<Peer | undefined>>();
  const own = hub.self.id;

  const peerOf = (id: HubId) => hub.peers().find(({ hubId }) => hubId === id);
  const room = () => MOST_WATCHED - hub.peers().filter(({ origin }) => origin === "fabric").length;

  async function meet(id: HubId): Promise<Peer | undefined> {
    const peer = peerOf(id);
    if (peer !== undefined) return peer;
    const underWay = adopting.get(id) ?? adoptMember(id).finally(() => adopting.delete(id));
    adopting.set(id, underWay);
    return underWay;
  }

  async function adoptMember(id: HubId): Promise<Peer | undefined> {
    const connection = now();
    const member = connection === undefined ? undefined : await members.find(connection, id);
    if (member !== undefined) await adopt(member);
    return peerOf(id);
  }

  return {
    meet,
    /** On a small fabric everybody knows everybody. On a large one each knows others: were it the first ones for all, those would tell everybody of each change. */
    async meetOthers(connection) {
      if (room() <= 0) return;
      const ids = await members.list(connection);
      const others = [...ids.filter((id) => id > own), ...ids.filter((id) => id < own)];
      const strangers = others.filter((id) => peerOf(id) === undefined);
      for (const id of strangers.slice(0, Math.max(0, room())))
        await meet(id).catch((error: unknown) => {
          // One that cannot be a peer keeps no other from it.
          if (!(error instanceof HubError)) throw error;
          log.warn({ hub: id, reason: error.message }, "a hub of the fabric could not be met");
        });
    },
  };
}
