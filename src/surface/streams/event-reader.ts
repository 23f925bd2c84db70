import type { HubEvent } from "../../model/events.js";
import type { Viewer } from "../../model/viewer.js";
import type { HubPorts } from "../ports.js";
import { encodeFrame } from "./frames.js";
import type { StreamReader, Wire } from "./wire.js";

/**
 * Feeds one reader. It is pulled along by what it takes: past its buffer nothing more is read for it, and if it takes
 * nothing for `readerStallMs` it is dropped and told why and from where to resume.
 */
export function startEventReader(ports: HubPorts, viewer: Viewer, after: number, wire: Wire): StreamReader {
  const { limits } = ports;
  let stalled: NodeJS.Timeout | undefined;
  let sent = after;

  function deliver(events: readonly HubEvent[]): boolean {
    for (const event of events) {
      const frame = encodeFrame(event, viewer);
      if (frame !== undefined) wire.send(frame, event.seq);
      sent = event.seq;
    }
    if (wire.buffered() <= limits.readerBufferBytes) return true;
    stalled ??= setTimeout(() => drop("slow reader: it stopped taking events"), limits.readerStallMs);
    return false;
  }

  wire.send(JSON.stringify({ type: "ready", seq: ports.lastSeq(), first: ports.firstSeq() }));
  const reader = ports.feed.read({
    after,
    deliver,
    onFailure(error) {
      ports.logError(error, "reading events for a stream");
      drop("the hub cannot read its journal");
    },
  });
  const ping = setInterval(() => {
    if (stalled === undefined) wire.send(JSON.stringify({ type: "ping", seq: reader.place() }));
  }, limits.pingEveryMs);

  function close() {
    clearInterval(ping);
    clearTimeout(stalled);
    reader.close();
  }

  function drop(reason: string) {
    close();
    wire.send(JSON.stringify({ type: "dropped", reason, seq: sent }));
    wire.end(reason);
  }

  return {
    drained() {
      if (wire.buffered() > limits.readerBufferBytes / 2) return;
      clearTimeout(stalled);
      stalled = undefined;
      reader.resume();
    },
    drop,
    close,
  };
}
