import type { Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { summarize, takeTurns } from "./statistics.js";
import { startNode } from "./stdio-process.js";
import { within } from "./within.js";

/** From starting the process, in a folder that is empty, until the hub says that it is ready. */
export const hubStart: Measurement = {
  name: "hub-start",
  async run(lab) {
    const bare = () => within(10_000, "starting Node", startNode(lab));
    for (let i = 0; i < 2; i++) {
      await startHub(lab);
      await bare();
    }
    return [
      {
        what: "Hub ready from cold",
        against: "node -e 0",
        unit: "ms",
        ...summarize(await takeTurns(lab.quick ? 9 : 31, bare, () => startHub(lab))),
        limit: { on: "ratio", is: "at most", bound: 10 },
      },
    ];
  },
};

async function startHub(lab: Lab): Promise<number> {
  const home = lab.folder();
  const from = performance.now();
  const hub = await lab.hub({ home });
  const took = performance.now() - from;
  await lab.stop(hub);
  return took;
}
