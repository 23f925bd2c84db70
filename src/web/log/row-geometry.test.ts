import { expect, test } from "vitest";
import { rowsInView, scrollHeight, scrollTopFor, scrollToShow, tableOffset } from "./row-geometry.js";

const short = { rows: 1000, rowHeight: 34, viewport: 600 };
const long = { rows: 1_000_000, rowHeight: 34, viewport: 600 };

test("a short table scrolls pixel by pixel", () => {
  expect(scrollHeight(short)).toBe(34_000);
  expect(tableOffset(short, 340)).toBe(340);
  expect(rowsInView(short, 340, 0)).toEqual({ first: 10, last: 28, top: 340 });
});

test("of a million rows the first and the last can be reached", () => {
  expect(rowsInView(long, 0).first).toBe(0);
  const end = scrollHeight(long) - long.viewport;
  expect(rowsInView(long, end).last).toBe(1_000_000);
  expect(end).toBeLessThan(16_000_000);
});

test("the way back from a row is the way to it", () => {
  for (const row of [0, 17, 500_000, 999_000])
    expect(tableOffset(long, scrollTopFor(long, row * 34))).toBeCloseTo(row * 34, 0);
});

test("the rows that are drawn stand where the window is", () => {
  const scrollTop = 7_000_000;
  const { first, top } = rowsInView(long, scrollTop, 0);
  expect(top).toBeLessThanOrEqual(scrollTop);
  expect(top).toBeGreaterThan(scrollTop - 34);
  expect(first).toBeGreaterThan(400_000);
});

test("a row that can be seen needs no scrolling, another as little as possible", () => {
  expect(scrollToShow(short, 0, 3)).toBeUndefined();
  expect(scrollToShow(short, 0, 30)).toBe(31 * 34 - 600);
  expect(scrollToShow(short, 340, 2)).toBe(68);
});

test("a table that is not as high as the window does not scroll", () => {
  expect(rowsInView({ rows: 3, rowHeight: 34, viewport: 600 }, 0)).toEqual({ first: 0, last: 3, top: 0 });
});
