import { expect, test } from "vitest";
import { hubErrorCodes } from "../model/errors.js";
import { exitCodeOf } from "./exit-codes.js";

test("every refusal has an exit code, and none is that of success or of a signal", () => {
  for (const code of hubErrorCodes) {
    expect(exitCodeOf(code)).toBeGreaterThanOrEqual(1);
    expect(exitCodeOf(code)).toBeLessThanOrEqual(7);
  }
});

test.each([
  ["INTERNAL", 1],
  ["INVALID_INPUT", 2],
  ["HUB_UNREACHABLE", 3],
  ["AGENT_NOT_FOUND", 4],
  ["UNAUTHENTICATED", 5],
  ["INBOX_FULL", 6],
  ["TIMED_OUT", 7],
] as const)("scripts can tell %s apart: %i", (code, exit) => {
  expect(exitCodeOf(code)).toBe(exit);
});
