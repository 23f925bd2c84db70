import { expect, test } from "vitest";
import { hubErrorCodes } from "../model/errors.js";
import { exitCodes } from "./exit-codes.js";

test("every refusal has an exit code, and none is that of success or of a signal", () => {
  for (const code of hubErrorCodes) {
    expect(exitCodes[code]).toBeGreaterThanOrEqual(1);
    expect(exitCodes[code]).toBeLessThanOrEqual(7);
  }
});

test("scripts can tell apart what they would act on", () => {
  expect(exitCodes).toMatchObject({
    INTERNAL: 1,
    INVALID_INPUT: 2,
    HUB_UNREACHABLE: 3,
    AGENT_NOT_FOUND: 4,
    UNAUTHENTICATED: 5,
    INBOX_FULL: 6,
    TIMED_OUT: 7,
  });
});
