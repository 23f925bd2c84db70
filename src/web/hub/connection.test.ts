import { expect, test } from "vitest";
import { type Connection, contactAt } from "./connection.js";
import { pauseBefore } from "./event-feed.js";

const lost: Connection = {
  kind: "reconnecting",
  since: 100_000,
  tries: 1,
  nextAt: undefined,
  lastUpdate: 95_000,
};

test("a break shorter than three seconds is nobody's business", () => {
  expect(contactAt(lost, 102_999)).toBe("live");
  expect(contactAt(lost, 103_000)).toBe("lost");
});

test("statuses are unknown thirty seconds after the last word of the hub", () => {
  expect(contactAt(lost, 124_999)).toBe("lost");
  expect(contactAt(lost, 125_000)).toBe("unknown");
});

test("the pauses between tries grow to a limit, and are spread out", () => {
  const usual = () => 0.5;
  expect([1, 2, 3, 4, 5, 6, 20].map((tries) => pauseBefore(tries, usual))).toEqual([
    250, 500, 1000, 2000, 4000, 5000, 5000,
  ]);
  expect(pauseBefore(6, () => 0)).toBe(3750);
  expect(pauseBefore(6, () => 0.999)).toBe(6248);
});
