import { expect, test } from "vitest";
import { createCallsInFlight } from "./calls-in-flight.js";

test("the one call with that id is cancelled, once", () => {
  const calls = createCallsInFlight();
  const cancelled: string[] = [];
  const done = calls.add("ann", 1, () => cancelled.push("ann 1"));
  calls.add("ann", "1", () => cancelled.push('ann "1"'));
  calls.add("bob", 1, () => cancelled.push("bob 1"));

  calls.cancel("ann", 1);
  expect(cancelled).toEqual(["ann 1"]);

  done();
  calls.cancel("ann", 1);
  expect(cancelled).toEqual(["ann 1"]);
});

test("with two of the same id neither is cancelled: it cannot be known which was meant", () => {
  const calls = createCallsInFlight();
  let cancelled = 0;
  const done = calls.add("ann", 1, () => cancelled++);
  calls.add("ann", 1, () => cancelled++);

  calls.cancel("ann", 1);
  expect(cancelled).toBe(0);

  done();
  calls.cancel("ann", 1);
  expect(cancelled).toBe(1);
});
