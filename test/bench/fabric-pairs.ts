import { type Endpoints, openEndpoints } from "./endpoints.js";
import { startServer } from "./fabric-server.js";
import type { Measurement } from "./row.js";
import { summarize, takeTurns } from "./statistics.js";

const PAIRS = 10;

/** Ten hubs that each have much for another one, all at once. */
export const fabricPairs: Measurement = {
  name: "fabric-pairs",
  async run(lab) {
    const count = lab.quick ? 500 : 2000;
    // In turn: the even ones, which send, and the odd ones, which receive, in two processes each.
    const names = Array.from({ length: 2 * PAIRS }, (_, n) => `hub-${n}`);
    const pairs = Array.from({ length: PAIRS }, (_, n) => ({ from: `hub-${2 * n}`, to: `hub-${2 * n + 1}` }));
    const shape = { processes: 4, names, mailPerBatch: 64 };
    const open = {
      http: await openEndpoints(lab, shape),
      fabric: await openEndpoints(lab, shape, await startServer(lab)),
    };
    for (const endpoints of [open.http, open.fabric]) {
      await endpoints.introduce(pairs);
      await endpoints.exchange(pairs.map((pair) => ({ ...pair, count: 200 })));
    }
    const drain = async (endpoints: Endpoints) => {
      const start = performance.now();
      await endpoints.exchange(pairs.map((pair) => ({ ...pair, count })));
      return (PAIRS * count * 1000) / (performance.now() - start);
    };
    const rounds = await takeTurns(
      lab.quick ? 3 : 9,
      () => drain(open.http),
      () => drain(open.fabric),
    );
    return [
      {
        what: `${PAIRS} hubs of the fabric send ${count.toLocaleString("en")} messages each to another at once, in order`,
        against: "the same between hubs that call each other over HTTP",
        unit: "/s",
        ...summarize(rounds),
        limit: { on: "ratio", is: "at least", bound: 1 },
      },
    ];
  },
};
