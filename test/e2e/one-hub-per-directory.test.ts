import { expect, test } from "vitest";
import { runOneHub } from "../soak/one-hub.js";

test("twenty second hubs are refused naming the first, and after kill -9 the next starts at once", async () => {
  const result = await runOneHub({ seconds: 20, kills: 5 });

  expect(result.violations).toEqual([]);
  expect(result).toMatchObject({ refused: 20, restarted: 5 });
  expect(result.slowestRestartMs).toBeLessThan(15_000);
});
