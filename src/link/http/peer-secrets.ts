import { createHash, timingSafeEqual } from "node:crypto";
import { HubError } from "../../model/errors.js";
import type { HubId } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { untrusted } from "../known-hubs.js";
import type { LinkSecrets } from "../link.js";
import type { LinkHub } from "../link-hub.js";

/** Those whose secret a request showed. Which one of them it is, its body says. */
export type Shown = { isCommon: boolean; peers: readonly Peer[] };

export type PeerSecrets = {
  /** Throws UNAUTHENTICATED. Every secret is compared, each in constant time: how long it takes says nothing about any. */
  check(authorization: string | undefined): Shown;
  /** Whether there is any by which a peer could show who it is. */
  hasAny(): boolean;
};

export function createPeerSecrets(hub: LinkHub, secrets: LinkSecrets): PeerSecrets {
  return {
    check(authorization) {
      const token = /^Bearer +(\S{1,1024}) *$/i.exec(authorization ?? "")?.[1];
      const given = hashOf(token ?? "");
      const matches = (secret: string | undefined) =>
        secret !== undefined && secret !== "" && timingSafeEqual(hashOf(secret), given);
      const peers = hub.peers().filter((peer) => matches(secrets.of(peer)));
      const isCommon = matches(secrets.common());
      if (token !== undefined && (isCommon || peers.length > 0)) return { isCommon, peers };
      throw new HubError(
        "UNAUTHENTICATED",
        token === undefined
          ? "A secret is needed: send the header Authorization: Bearer SECRET"
          : "This is not the secret of a peer of this hub; both sides need the same one",
      );
    },
    hasAny() {
      const isThere = (secret: string | undefined) => secret !== undefined && secret !== "";
      return isThere(secrets.common()) || hub.peers().some((peer) => isThere(secrets.of(peer)));
    },
  };
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/**
 * The peer that a request is from: by its fingerprint, or, while that is not known, by what it calls itself. Another hub may
 * call itself the same: one whose fingerprint is known is found by that alone.
 */
export function findPeer({ peers }: Shown, from: string, origin?: HubId): Peer {
  const found =
    (origin === undefined ? undefined : peers.find(({ hubId }) => hubId === origin)) ??
    peers.find(({ name, hubId }) => name === from && (origin === undefined || hubId === null));
  if (found !== undefined) return found;
  // It has the secret and the name of a peer, and another key.
  const named = origin === undefined ? undefined : peers.find(({ name }) => name === from);
  if (named !== undefined)
    throw untrusted(named, `shows another key than before (${origin}, not ${named.hubId})`);
  throw new HubError(
    "PEER_UNKNOWN",
    "No peer of this hub has that name and secret; add it to agent-comms.peers, or pair the two: huddle peers invite",
  );
}
