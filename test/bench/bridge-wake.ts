import { setTimeout as sleep } from "node:timers/promises";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";
import { bridge, callTool, echo, joinMcp, startStdio } from "./stdio-process.js";
import { within } from "./within.js";

/** A hot loop is faster than processes that were idle; an agent that waits is idle. */
const PACE_MS = 5;
const CONTENT = "x".repeat(200);

/** From one agent's `send_message` until another's `wait_for_message` returns, both over stdio. */
export const bridgeWake: Measurement = {
  name: "bridge-wake",
  async run(lab) {
    const { home } = await lab.hub({ set: ["inbox.cap=1000000"] });
    const open = async (name: string) => {
      const process = startStdio(lab, [bridge, "--name", name], { home, cwd: lab.folder() });
      await within(10_000, `connecting ${name}`, joinMcp(process));
      return process;
    };
    const [ann, bob] = [await open("ann"), await open("bob")];
    const [first, second] = [startStdio(lab, echo), startStdio(lab, echo)];
    let id = 0;

    /** The least that two agents on stdio need: a line into one and out, and into the other and out. */
    async function floor(): Promise<number> {
      const line = callTool("send_message", { to: "bob", content: CONTENT }, ++id);
      await sleep(PACE_MS);
      const from = performance.now();
      first.write(line);
      second.write(await first.line());
      await second.line();
      return performance.now() - from;
    }

    async function wake(): Promise<number> {
      bob.write(callTool("wait_for_message", { timeout_seconds: 60 }, ++id));
      await sleep(PACE_MS);
      const line = callTool("send_message", { to: "bob", content: CONTENT }, ++id);
      const waiting = bob.line();
      const from = performance.now();
      ann.write(line);
      const got = await waiting;
      const took = performance.now() - from;
      if (!got.includes(CONTENT)) throw new Error(`not the message: ${got}`);
      await ann.line();
      return took;
    }

    for (let i = 0; i < 300; i++) await within(5000, "a message", wake());
    const pairs: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
      const times = { floor: [] as number[], wake: [] as number[] };
      for (let i = 0; i < (lab.quick ? 50 : 100); i++) {
        times.floor.push(await within(5000, "an echo", floor()));
        times.wake.push(await within(5000, "a message", wake()));
      }
      pairs.push({ anchor: median(times.floor), ours: median(times.wake) });
    }
    return [
      {
        what: "send_message until wait_for_message returns, over stdio, p50",
        against: "a line through two echoing processes, p50",
        unit: "ms",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at most", bound: 6 },
      },
    ];
  },
};
