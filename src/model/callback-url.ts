import type { PeerName } from "./peer.js";

/** Where a peer is reached. */
export type CallbackPeer = { name: PeerName; host: string; port: number };

/**
 * The peer that a callback URL is of. Host and port must stand there just as they are known: whatever else a URL could say to mean
 * the same machine, or to seem to, such as a number, an escape, a user name or a dot at the end, is no peer's.
 */
export function findCallbackPeer<P extends CallbackPeer>(url: string, peers: readonly P[]): P | undefined {
  const place = /^http:\/\/([^/?#]+)(?:[/?#][\x21-\x7e]*)?$/.exec(url)?.[1]?.toLowerCase();
  if (place === undefined || !URL.canParse(url)) return undefined;
  return peers.find((peer) => placesOf(peer).includes(place));
}

/** How its URLs begin. */
export function callbackStart(peer: CallbackPeer): string {
  return `http://${callbackPlace(peer)}/`;
}

/** Host and port as they stand in a URL. */
function callbackPlace({ host, port }: CallbackPeer): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`.toLowerCase();
}

function placesOf(peer: CallbackPeer): string[] {
  const place = callbackPlace(peer);
  return peer.port === 80 ? [place, place.slice(0, -":80".length)] : [place];
}
