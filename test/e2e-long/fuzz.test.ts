import { expect, test } from "vitest";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { runFuzz } from "../soak/fuzz-http.js";

/** Each seed has as many as it takes to meet every kind of answer; `npm run soak fuzz` sends two million. */
const INPUTS = 4000;

test("4,000 mutated requests to every route get no 5xx, store nothing unanswered and leave the hub well", async () => {
  const seeds = chooseSeeds().slice(-2);
  const inputs = Math.ceil(INPUTS / seeds.length);
  for (const seed of seeds) {
    const result = await runFuzz({ inputs, random: createRandom(seed) });
    console.log(result);

    expect(result.violations, `SEED=${seed} repeats this`).toEqual([]);
    // The mutations reach past the first check: many are refused for different reasons, some are accepted.
    expect(result.accepted).toBeGreaterThan(20);
    for (const status of [200, 202, 400, 401, 403, 404, 415])
      expect(result.byStatus[status]).toBeGreaterThan(5);
    expect(result.growthMb).toBeLessThan(150);
  }
});
