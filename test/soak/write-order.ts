import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { traceCalls } from "../fakes/strace.js";

/*
 * Promise 1, the part that kill -9 cannot show: for every send the journal's bytes are written, then flushed to the
 * disk, and only then is the sender answered. Read from the hub's own system calls.
 */

export type WriteOrderResult = { sends: number; ordered: number; violations: string[] };

export async function runWriteOrder({ sends }: { sends: number }): Promise<WriteOrderResult> {
  const yard = createHubYard();
  const home = yard.home();
  const trace = join(home, "calls.trace");
  try {
    const hub = await yard.start({
      home,
      under: traceCalls(trace),
      set: ["presence.offline_after=24h", "inbox.cap=100000"],
    });
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    await registerAgent(hub.http, hub.join, { name: "ben" });
    const ids = Array.from({ length: sends }, (_, i) => `ordered-${String(i).padStart(6, "0")}`);
    for (const id of ids) {
      const { status, text } = await ann.send("ben", "hello", { id });
      if (status !== 202) throw new Error(`${id}: ${status} ${text}`);
    }
    await hub.stop();
    return checkOrder(readFileSync(trace, "utf8"), ids);
  } finally {
    await yard.clear();
  }
}

type Call = { kind: "write" | "sync" | "answer"; text: string };

/** Goes through the calls in the order of the trace: an answer counts from its start, a flush from its end. */
export function checkOrder(trace: string, ids: readonly string[]): WriteOrderResult {
  const violations: string[] = [];
  let state: "nothing written" | "written, not flushed" | "flushed" = "nothing written";
  const waiting = new Set(ids);
  let ordered = 0;
  for (const call of readCalls(trace)) {
    if (call.kind === "write") state = "written, not flushed";
    else if (call.kind === "sync") state = state === "nothing written" ? state : "flushed";
    else {
      const id = /"message_id\\":\\"([^"\\]+)/.exec(call.text)?.[1];
      if (id === undefined || !waiting.delete(id)) continue;
      if (state === "flushed") ordered++;
      else violations.push(`${id} was answered with ${state}`);
      state = "nothing written";
    }
  }
  for (const id of waiting) violations.push(`no answer to ${id} was seen in the trace`);
  return { sends: ids.length, ordered, violations };
}

function* readCalls(trace: string): Generator<Call> {
  const unfinished = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.test(rest);
    const call = resumed ? (unfinished.get(thread) ?? "") : rest;
    const isUnfinished = rest.endsWith("<unfinished ...>");
    if (isUnfinished) unfinished.set(thread, rest);
    const [, name = "", target = ""] = /^(\w+)\(\d+<([^>]*)>/.exec(call) ?? [];
    if (target.endsWith("huddle.db-wal")) {
      if (/^f(data)?sync$/.test(name)) {
        if (!isUnfinished && rest.endsWith(" = 0")) yield { kind: "sync", text: call };
      } else if (!resumed) yield { kind: "write", text: call };
    } else if (target.startsWith("TCP") && !resumed) yield { kind: "answer", text: call };
  }
}
