import { expect, test } from "vitest";
import { runOneHub } from "../soak/one-hub.js";

/** `npm run soak hubs` tries hundreds. */
const SECONDS = 20;

test("twenty second hubs are refused naming the first, and after kill -9 the next starts", async () => {
  const result = await runOneHub({ seconds: SECONDS, kills: 1 });

  expect(result.violations).toEqual([]);
  expect(result).toMatchObject({ refused: SECONDS, restarted: 1 });
});
