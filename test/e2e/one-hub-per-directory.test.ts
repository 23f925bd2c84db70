import { expect, test } from "vitest";
import { runOneHub } from "../soak/one-hub.js";

test("eight second hubs are refused naming the first, and after kill -9 the next starts at once", async () => {
  const result = await runOneHub({ seconds: 8, kills: 3 });

  expect(result.violations).toEqual([]);
  expect(result).toMatchObject({ refused: 8, restarted: 3 });
  expect(result.slowestRestartMs).toBeLessThan(15_000);
});
