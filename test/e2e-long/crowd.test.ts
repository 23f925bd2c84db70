import { expect, test } from "vitest";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { runCrowd } from "../soak/crowd.js";

const MESSAGES = 1200;

/** One known seed and the new one. */
test.each(chooseSeeds().slice(-2))(
  "fifty agents that do too much are told so, and nothing that was accepted is lost (SEED=%i)",
  async (seed) => {
    const random = createRandom(seed);
    const result = await runCrowd({
      agents: 50,
      messages: MESSAGES / 2,
      random,
      inboxCap: 10,
      requestLife: "10m",
    });

    expect(result.violations, `SEED=${seed} repeats this`).toEqual([]);
    expect(result.accepted).toBeGreaterThan(200);
    expect(Object.keys(result.refused)).toEqual(expect.arrayContaining(["INBOX_FULL", "REQUESTS_FULL"]));
  },
);
