import { expect, test } from "vitest";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { runCrowd } from "../soak/crowd.js";

const MESSAGES = 5000;

test("fifty agents that do too much are told so, and nothing that was accepted is lost", async () => {
  // One known seed and the new one: a hub's caps are only reached by thousands of messages.
  for (const seed of chooseSeeds().slice(-2)) {
    const result = await runCrowd({ agents: 50, messages: MESSAGES / 2, random: createRandom(seed) });

    expect(result.violations, `SEED=${seed} repeats this`).toEqual([]);
    expect(result.accepted).toBeGreaterThan(1000);
    expect(Object.keys(result.refused)).toEqual(expect.arrayContaining(["INBOX_FULL", "REQUESTS_FULL"]));
  }
});
