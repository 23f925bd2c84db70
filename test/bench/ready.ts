import type { Lab } from "./lab.js";
import { longHistory } from "./long-history.js";
import type { Measurement } from "./row.js";
import { summarize, takeTurns } from "./statistics.js";

/** From starting the process until it says that it is ready, with a long history and with none. */
export const ready: Measurement = {
  name: "ready",
  async run(lab) {
    const many = lab.quick ? 100_000 : 1_000_000;
    const home = await longHistory(many);
    await start(lab, home);
    const pairs = await takeTurns(
      lab.quick ? 3 : 7,
      () => start(lab, lab.folder()),
      () => start(lab, home),
    );
    return [
      {
        what: `Ready with a journal of ${many.toLocaleString("en")} events`,
        against: "with an empty one",
        unit: "s",
        ...summarize(pairs),
        limit: { on: "ours", is: "at most", bound: 2 },
      },
    ];
  },
};

async function start(lab: Lab, home: string): Promise<number> {
  const from = performance.now();
  const hub = await lab.hub({ home });
  const took = performance.now() - from;
  await lab.stop(hub);
  return took / 1000;
}
