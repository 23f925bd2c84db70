import { expect, test } from "vitest";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { runFuzz } from "../soak/fuzz-http.js";

/** As many as it takes to meet every kind of answer; `npm run soak fuzz` sends two million. */
const INPUTS = 4000;

test("4,000 mutated requests to every route get no 5xx, store nothing unanswered and leave the hub well", async () => {
  const seeds = chooseSeeds().slice(-2);
  const inputs = Math.ceil(INPUTS / seeds.length);
  let accepted = 0;
  const byStatus: Record<number, number> = {};
  for (const seed of seeds) {
    const result = await runFuzz({ inputs, random: createRandom(seed) });
    console.log(result);

    expect(result.violations, `SEED=${seed} repeats this`).toEqual([]);
    expect(result.growthMb).toBeLessThan(150);
    accepted += result.accepted;
    for (const [status, count] of Object.entries(result.byStatus))
      byStatus[Number(status)] = (byStatus[Number(status)] ?? 0) + count;
  }

  // The mutations reach past the first check: many are refused for different reasons, some are accepted. Of 4,000 at least 35
  // are of each kind on average, so that no seed brings fewer than six by chance.
  expect(accepted).toBeGreaterThan(5);
  for (const status of [200, 202, 400, 401, 403, 404, 415]) expect(byStatus[status]).toBeGreaterThan(5);
});
