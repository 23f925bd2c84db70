import { addressNow } from "../../hub/rules/address-of.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import type { HubPorts } from "../ports.js";
import { startLiveFlow } from "./live-flow.js";
import type { StreamReader, Wire } from "./wire.js";

/** Feeds one reader of live output, of one agent or of all. If it takes nothing for `readerStallMs` it is dropped and told why. */
export function startLiveReader(ports: HubPorts, agent: AgentId | undefined, wire: Wire): StreamReader {
  const { limits } = ports;
  let stalled: NodeJS.Timeout | undefined;

  wire.send(JSON.stringify({ type: "ready" }));
  const flow = startLiveFlow({
    turns: ports.hosting.live,
    wants: (id) => agent === undefined || agent === id,
    nameOf: (id) => addressNow(ports.views, id, id, HUMAN_ID),
    send: (frame) => wire.send(frame),
    hasRoom() {
      if (wire.buffered() <= limits.readerBufferBytes) return true;
      stalled ??= setTimeout(() => drop("slow reader: it stopped taking frames"), limits.readerStallMs);
      return false;
    },
    now: () => performance.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
  const ping = setInterval(() => {
    if (stalled === undefined) wire.send(JSON.stringify({ type: "ping" }));
  }, limits.pingEveryMs);

  function close() {
    clearInterval(ping);
    clearTimeout(stalled);
    flow.close();
  }

  function drop(reason: string) {
    close();
    wire.send(JSON.stringify({ type: "dropped", reason }));
    wire.end(reason);
  }

  return {
    drained() {
      if (stalled === undefined || wire.buffered() > limits.readerBufferBytes / 2) return;
      clearTimeout(stalled);
      stalled = undefined;
      flow.resume();
    },
    drop,
    close,
  };
}
