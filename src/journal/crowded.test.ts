import { expect, onTestFinished, test, vi } from "vitest";
import { createCrowded } from "./crowded.js";

test("the journal is crowded while it grows by more than a thousand events in a second, since it was last asked", () => {
  let seq = 500;
  let at = 10_000;
  vi.spyOn(performance, "now").mockImplementation(() => at);
  onTestFinished(() => void vi.restoreAllMocks());
  const isCrowded = createCrowded(() => seq);
  const after = (ms: number, events: number) => {
    at += ms;
    seq += events;
    return isCrowded();
  };

  expect(after(1000, 900)).toBe(false);
  expect(after(1000, 1100)).toBe(true);
  expect(after(100, 101)).toBe(true);
  expect(after(100, 100)).toBe(false);
  expect(after(5000, 1100)).toBe(false);
});
