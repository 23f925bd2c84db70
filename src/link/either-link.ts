import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import type { Peer, PeerName } from "../model/peer.js";
import { unreachable } from "./http/call-peer.js";
import type { Link } from "./link.js";

/** A neighbour that did not answer is not called again for so long: the fabric goes first. */
const AWAY_MS = 30_000;

/**
 * HTTP for a neighbour that answers, the fabric else. The same numbered frames go either way, so what went both ways is taken once.
 */
export function createEitherLink(http: Link, fabric: () => Link | undefined, clock: Clock): Link {
  const away = new Map<PeerName, number>();

  const isAway = ({ name, host }: Peer) =>
    host === "" || (away.get(name) ?? Number.NEGATIVE_INFINITY) > clock.monotonic();

  async function over<T>(peer: Peer, act: (link: Link) => Promise<T>): Promise<T> {
    const other = peer.hubId === null ? undefined : fabric();
    if (other === undefined && peer.host === "")
      throw unreachable(peer, "is only on the fabric, and this hub is not");
    if (other === undefined || !isAway(peer)) {
      try {
        const answer = await act(http);
        away.delete(peer.name);
        return answer;
      } catch (error) {
        if (other === undefined || !isUnreachable(error)) throw error;
        away.set(peer.name, clock.monotonic() + AWAY_MS);
      }
    }
    return act(other);
  }

  return {
    send: (peer, batch) => over(peer, (link) => link.send(peer, batch)),
    // Calls over HTTP may overtake each other.
    ahead: (peer) => (peer.hubId !== null && isAway(peer) ? (fabric()?.ahead?.(peer) ?? 1) : 1),
    request: (peer, kind, ...said) => over(peer, (link) => link.request(peer, kind, ...said)),
    sendPlain: http.sendPlain,
    async close() {
      await Promise.all([http.close(), fabric()?.close()]);
    },
  };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof HubError && error.code === "PEER_UNREACHABLE";
}
