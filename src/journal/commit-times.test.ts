import { expect, test } from "vitest";
import { createCommitTimes } from "./commit-times.js";

test("before the first commit there is nothing to tell", () => {
  expect(createCommitTimes().read()).toEqual({ count: 0, median_ms: null, slowest_ms: null });
});

test("the median and the slowest, whatever the order, and of none that never were", () => {
  const times = createCommitTimes();
  for (const ms of [10, 2, 30]) times.add(ms);

  expect(times.read()).toEqual({ count: 3, median_ms: 10, slowest_ms: 30 });
});

test("reading changes nothing of what comes next", () => {
  const times = createCommitTimes();
  for (const ms of [3, 1]) times.add(ms);
  times.read();
  times.add(2);

  expect(times.read()).toEqual({ count: 3, median_ms: 2, slowest_ms: 3 });
});

test("of the last thousand only", () => {
  const times = createCommitTimes();
  times.add(5000);
  for (let ms = 1; ms <= 1000; ms++) times.add(ms);

  expect(times.read()).toEqual({ count: 1000, median_ms: 501, slowest_ms: 1000 });
});
