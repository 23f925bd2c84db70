import type { IncomingMessage } from "node:http";
import { HubError } from "../../model/errors.js";
import { type Interfaces, isLocalAddress } from "./local-address.js";

/** What tunnels and proxies write into a request. Who only reaches us through one is not on our network. */
const TUNNELS = /^(cf-.*|cdn-loop|x-forwarded-.*|forwarded|via|x-real-ip|true-client-ip)$/;

/** Document 004: local network only. A tunnel ends on this machine, so its address alone would pass. */
export function refuseForeign(incoming: IncomingMessage, interfaces?: Interfaces): void {
  const header = Object.keys(incoming.headers).find((name) => TUNNELS.test(name));
  if (header !== undefined) {
    throw new HubError(
      "PEER_NOT_LOCAL",
      `This came through a tunnel or proxy (header ${header}); peers call directly. Exclude /agent/* there`,
    );
  }
  if (incoming.headers.origin !== undefined) {
    throw new HubError("ORIGIN_NOT_ALLOWED", "Web pages may not call this hub's peer listener");
  }
  if (isLocalAddress(incoming.socket.remoteAddress, interfaces)) return;
  throw new HubError("PEER_NOT_LOCAL", "Only hubs on the local network may call; this address is not on it");
}
