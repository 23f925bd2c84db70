import { once } from "node:events";
import type { Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { summarize, takeTurns } from "./statistics.js";
import { bridge, openMcp, startNode, startStdio } from "./stdio-process.js";
import { within } from "./within.js";

/** From starting the bridge, for an agent that was here before, until the client has the list of tools. */
export const bridgeStart: Measurement = {
  name: "bridge-start",
  async run(lab) {
    const { home } = await lab.hub();
    const cwd = lab.folder();
    const start = () => within(10_000, "starting a bridge", startBridge(lab, home, cwd));
    const bare = () => within(10_000, "starting Node", startNode(lab));
    for (let i = 0; i < 3; i++) {
      await start();
      await bare();
    }
    return [
      {
        what: "Bridge from cold to the answer of tools/list",
        against: "node -e 0",
        unit: "ms",
        ...summarize(await takeTurns(lab.quick ? 15 : 41, bare, start)),
        limit: { on: "ratio", is: "at most", bound: 1.9 },
      },
    ];
  },
};

async function startBridge(lab: Lab, home: string, cwd: string): Promise<number> {
  const from = performance.now();
  const process = startStdio(lab, [bridge], { home, cwd });
  await openMcp(process);
  const took = performance.now() - from;
  process.child.stdin?.end();
  await once(process.child, "exit");
  return took;
}
