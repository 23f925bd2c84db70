import { statSync } from "node:fs";
import { join } from "node:path";
import { registerAgent } from "../fakes/member.js";
import type { Load, Loaded } from "./children/http-load.js";
import type { Child } from "./lab.js";
import type { Measurement } from "./row.js";
import { summarize, takeTurns } from "./statistics.js";

const MIB = 1024 * 1024;
const WAL_CAP = 32;
/** A batch that begins just below the cap is still written whole. */
const WAL_BATCH = 8;

/** Sends that are on disk before they are answered, at 32 connections; and how long the write-ahead log gets from it. */
export const durableSend: Measurement = {
  name: "send",
  async run(lab) {
    const [anchor, load] = [await lab.child("http-anchor"), await lab.child("http-load")];
    const hub = await lab.hub({ set: ["inbox.cap=1000000", `journal.wal_cap=${WAL_CAP}MiB`] });
    const alice = await registerAgent(hub.http, hub.join, { name: "alice" });
    await registerAgent(hub.http, hub.join, { name: "bob" });

    const wal = watchSize(join(hub.home, "huddle.db-wal"));
    lab.onClose(wal.stop);
    const common = {
      path: "/api/agents/bob/messages",
      token: alice.token,
      body: { message: "x".repeat(200) },
      connections: 32,
      warmUpMs: 300,
      countMs: lab.quick ? 1000 : 2000,
    };
    const { port } = anchor.greeting as { port: number };
    const pairs = await takeTurns(
      lab.quick ? 3 : 7,
      () => answersPerSecond(load, { ...common, port }),
      () => answersPerSecond(load, { ...common, port: hub.port }),
    );
    const largest = wal.largest() / MIB;
    return [
      {
        what: "Durable sends over HTTP, 32 connections, 200-byte messages",
        against: "node:http parsing and answering JSON",
        unit: "/s",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at least", bound: 0.5 },
      },
      {
        what: "Largest write-ahead log under that load",
        against: "cap",
        unit: "MiB",
        ...summarize([{ anchor: WAL_CAP, ours: largest }]),
        limit: { on: "ours", is: "at most", bound: WAL_CAP + WAL_BATCH },
      },
    ];
  },
};

async function answersPerSecond(child: Child, load: Load): Promise<number> {
  const { perSecond, refused, refusal } = (await child.ask(load)) as Loaded;
  if (refused > 0) throw new Error(`${refused} requests were refused: ${refusal}`);
  return perSecond;
}

function watchSize(file: string): { largest(): number; stop(): void } {
  let largest = 0;
  const timer = setInterval(() => {
    largest = Math.max(largest, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  }, 5);
  return { largest: () => largest, stop: () => clearInterval(timer) };
}
