import type { ServerResponse } from "node:http";
import type { Served } from "./served.js";

const KEEP_ALIVE_MS = 15_000;
/** The client cancelled, and wants no answer. */
const CLIENT_CLOSED = 499;

/** Where the messages of one exchange go: what is told before the answer, and the answer, which ends it. */
type Sink = { tell(message: object): void; answer(message: object): void; giveUp(): void };

export function openSink({ outgoing, signal, streams }: Served): Sink {
  const sink = streams ? streamTo(outgoing) : answerTo(outgoing);
  // Cancelled, not hung up: the request still has to end.
  signal.addEventListener("abort", () => {
    if (!outgoing.writableEnded) sink.giveUp();
  });
  return sink;
}

function answerTo(outgoing: ServerResponse): Sink {
  return {
    tell: () => {},
    answer(message) {
      const json = JSON.stringify(message);
      outgoing
        .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(json) })
        .end(json);
    },
    giveUp: () => outgoing.writeHead(CLIENT_CLOSED).end(),
  };
}

function streamTo(outgoing: ServerResponse): Sink {
  outgoing.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  outgoing.flushHeaders();
  const ticking = setInterval(() => outgoing.write(": keepalive\n\n"), KEEP_ALIVE_MS);
  outgoing.once("close", () => clearInterval(ticking));
  const frame = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
  return {
    tell: (message) => outgoing.write(frame(message)),
    answer: (message) => outgoing.end(frame(message)),
    giveUp: () => outgoing.end(),
  };
}
