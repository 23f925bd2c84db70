import { expect, test } from "vitest";
import { chooseSeed, createRandom } from "../fakes/random.js";
import { runFuzz } from "../soak/fuzz-http.js";

const INPUTS = 20_000;

test("20,000 mutated requests to every route get no 5xx, store nothing unanswered and leave the hub well", async () => {
  const result = await runFuzz({ inputs: INPUTS, random: createRandom(chooseSeed()) });
  console.log(result);

  expect(result.violations).toEqual([]);
  // The mutations reach past the first check: many are refused for different reasons, some are accepted.
  expect(result.accepted).toBeGreaterThan(100);
  for (const status of [200, 202, 400, 401, 403, 404, 415])
    expect(result.byStatus[status]).toBeGreaterThan(10);
  expect(result.growthMb).toBeLessThan(150);
});
