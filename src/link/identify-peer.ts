import { HubError } from "../model/errors.js";
import type { Peer, PeerName } from "../model/peer.js";
import type { Link } from "./link.js";
import type { LinkHub } from "./link-hub.js";

/**
 * What stands in the configuration has an address and no more: it may be a hub like this one, or a plain daemon of document 004. It is
 * asked once in a run, before anything is handed over. Throws while it cannot be known, because it does not answer.
 */
export type IdentifyPeer = (peer: Peer) => Promise<"hub" | "plain">;

export function createIdentifyPeer(hub: LinkHub, link: Link): IdentifyPeer {
  const plain = new Set<PeerName>();
  return async (peer) => {
    if (peer.kind === "hub") return "hub";
    if (plain.has(peer.name)) return "plain";
    try {
      const { hub: hubId, key: publicKey } = await link.request(peer, "ping");
      await hub.learnHub(peer.name, { hubId, publicKey });
      return "hub";
    } catch (error) {
      if (!isNoHub(error)) throw error;
      plain.add(peer.name);
      return "plain";
    }
  };
}

/** It answered, and not as a hub does: it does not know the question, or says something else. */
function isNoHub(error: unknown): boolean {
  const status = error instanceof HubError ? error.details["status"] : undefined;
  if (typeof status !== "number") return false;
  return (status >= 200 && status < 300) || [400, 404, 405, 501].includes(status);
}
