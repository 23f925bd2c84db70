import type { IncomingMessage, ServerResponse } from "node:http";
import { type Caller, memberId } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";
import type { StartReader } from "../streams/open-stream.js";
import type { ReaderRegistry } from "../streams/reader-registry.js";
import { endWithToken } from "../streams/token-end.js";
import type { StreamReader } from "../streams/wire.js";

/** Server-sent events on a plain response: `id` is the sequence number, so that a browser resumes by itself. */
export function streamOverSse(
  ports: HubPorts,
  registry: ReaderRegistry,
  {
    caller,
    startReader,
    incoming,
    outgoing,
  }: { caller: Caller; startReader: StartReader; incoming: IncomingMessage; outgoing: ServerResponse },
): void {
  let reader: StreamReader | undefined;
  const remove = registry.add(memberId(caller), (reason) => reader?.drop(reason));
  const leave = caller.kind === "agent" ? ports.presence.enter(caller.agent) : () => {};
  outgoing.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  outgoing.on("drain", () => reader?.drained());
  incoming.socket.setNoDelay(true);
  let stay = () => {};
  outgoing.once("close", () => {
    stay();
    reader?.close();
    remove();
    leave();
  });
  reader = startReader({
    send(frame, seq) {
      outgoing.write(seq === undefined ? `data: ${frame}\n\n` : `id: ${seq}\ndata: ${frame}\n\n`);
    },
    buffered: () => outgoing.writableLength,
    end() {
      outgoing.end();
      setTimeout(() => outgoing.destroy(), ports.limits.readerLingerMs).unref();
    },
  });
  stay = endWithToken(caller, ports.wall, (reason) => reader?.drop(reason));
}
