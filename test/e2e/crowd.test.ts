import { expect, test } from "vitest";
import { chooseSeed, createRandom } from "../fakes/random.js";
import { runCrowd } from "../soak/crowd.js";

const seed = chooseSeed();

test(`fifty agents that do too much are told so, and nothing that was accepted is lost (seed ${seed})`, {
  timeout: 300_000,
}, async () => {
  const result = await runCrowd({ agents: 50, messages: 5_000, random: createRandom(seed) });

  expect(result.violations).toEqual([]);
  expect(result.accepted).toBeGreaterThan(1000);
  expect(Object.keys(result.refused)).toEqual(expect.arrayContaining(["INBOX_FULL", "REQUESTS_FULL"]));
});
