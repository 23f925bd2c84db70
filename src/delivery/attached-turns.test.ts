import { expect, test } from "vitest";
import { createTestClock } from "../../test/fakes/test-clock.js";
import { createAttachedTurns } from "./attached-turns.js";

test("a turn lasts from its first hook to its end, and no longer than hooks are heard", () => {
  const clock = createTestClock();
  const turns = createAttachedTurns(clock, 600_000);
  expect(turns.since("a")).toBeUndefined();

  turns.goesOn("a");
  const began = clock.wall();
  clock.advance(599_000);
  turns.goesOn("a");
  clock.advance(599_000);
  expect(turns.since("a")).toBe(began);
  expect(turns.since("b")).toBeUndefined();

  clock.advance(1_000);
  expect(turns.since("a")).toBeUndefined();

  turns.goesOn("a");
  expect(turns.since("a")).toBe(clock.wall());
  turns.ended("a");
  expect(turns.since("a")).toBeUndefined();
});

test("setting the computer's clock ends no turn", () => {
  const clock = createTestClock();
  const turns = createAttachedTurns(clock, 600_000);
  turns.goesOn("a");

  clock.jumpWall(86_400_000);

  expect(turns.since("a")).toBeDefined();
});
