import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import type { Peer, PeerName } from "../model/peer.js";
import { unreachable } from "./http/call-peer.js";
import type { Link } from "./link.js";
import type { Fabric } from "./nats/fabric.js";

/** A neighbour that did not answer is not called again for so long: the fabric goes first. */
const AWAY_MS = 30_000;

/** That a hub does not know whoever calls: it may be another one. */
const NOT_KNOWN = new Set<unknown>([401, 403]);
/** Of a message that is too large, or one too many: what to do about that is the same either way. */
const OF_THE_MESSAGE = new Set<unknown>([413, 429]);

/**
 * HTTP for a neighbour that answers, the fabric else. The same numbered frames go either way, so what went both ways is taken once.
 */
export function createEitherLink(
  http: Link,
  fabric: () => Pick<Fabric, "link" | "knows"> | undefined,
  clock: Clock,
): Link {
  const away = new Map<PeerName, number>();
  let isClosed = false;

  const isAway = ({ name, host }: Peer) =>
    host === "" || (away.get(name) ?? Number.NEGATIVE_INFINITY) > clock.monotonic();

  async function over<T>(peer: Peer, act: (link: Link) => Promise<T>): Promise<T> {
    const { hubId } = peer;
    const other = hubId === null ? undefined : fabric();
    if (other === undefined && peer.host === "")
      throw unreachable(peer, "is only on the fabric, and this hub is not");
    if (other === undefined || hubId === null || !isAway(peer)) {
      try {
        const answer = await act(http);
        away.delete(peer.name);
        return answer;
      } catch (error) {
        if (other === undefined || hubId === null || !mayBeElsewhere(error)) throw error;
        // A person has to know of a wrong secret or key, unless the fabric goes to that very hub.
        if (!isUnreachable(error) && !(await other.knows(hubId).catch(() => false))) throw error;
        away.set(peer.name, clock.monotonic() + AWAY_MS);
      }
    }
    try {
      return await act(other.link);
    } catch (error) {
      // Only this hub's connection to the fabric ended, as when its admission is renewed.
      if (isClosed || !(error instanceof HubError) || error.code !== "SHUTTING_DOWN") throw error;
      throw unreachable(peer, "is on the fabric, which this hub just left or joins anew");
    }
  }

  return {
    send: (peer, batch) => over(peer, (link) => link.send(peer, batch)),
    // Calls over HTTP may overtake each other.
    ahead: (peer) => (peer.hubId !== null && isAway(peer) ? (fabric()?.link.ahead?.(peer) ?? 1) : 1),
    request: (peer, kind, ...said) => over(peer, (link) => link.request(peer, kind, ...said)),
    sendPlain: http.sendPlain,
    async close() {
      isClosed = true;
      await Promise.all([http.close(), fabric()?.link.close()]);
    },
  };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof HubError && error.code === "PEER_UNREACHABLE";
}

/** Addresses are given to others: then another hub answers, which does not know us or has another key, or a web server, which has no such page. */
function mayBeElsewhere(error: unknown): boolean {
  if (!(error instanceof HubError)) return false;
  const { status, peer_code: code } = error.details;
  if (error.code === "PEER_REFUSED")
    return NOT_KNOWN.has(status) || (code === undefined && !OF_THE_MESSAGE.has(status));
  return error.code === "PEER_UNREACHABLE" || error.code === "PEER_UNTRUSTED";
}
