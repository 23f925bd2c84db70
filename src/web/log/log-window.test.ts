import { expect, test } from "vitest";
import type { LogRow } from "./log-rows.js";
import {
  appendRows,
  emptyWindow,
  findRow,
  type LogWindow,
  missingPages,
  PAGE,
  putPage,
  rowAt,
  totalRows,
} from "./log-window.js";

const row = (seq: number): LogRow => ({
  kind: "turn",
  seq,
  turn: {
    agent: "ann",
    id: "a",
    turn: `t${seq}`,
    seq,
    started: "",
    ended: "",
    stop: "end_turn",
    messages: [],
    excerpt: "",
  },
});
const rows = (newest: number, count: number) => Array.from({ length: count }, (_, i) => row(newest - i));

/** A million rows with the numbers 1,000,000 to 1. */
const million: LogWindow = {
  ...emptyWindow,
  count: 1_000_000,
  places: Array.from({ length: 10_000 }, (_, page) => 1_000_000 - page * PAGE),
};

test("a far page is asked for by itself, and found again", () => {
  expect(missingPages(million, 500_050, 500_090)).toEqual([5000]);
  const window = putPage(million, 5000, rows(500_000, PAGE));
  expect(rowAt(window, 500_050)?.seq).toBe(499_950);
  expect(rowAt(window, 499_999)).toBeUndefined();
  expect(findRow(window, 499_950)).toBe(500_050);
  expect(missingPages(window, 500_050, 500_090)).toEqual([]);
});

test("what came since moves everything below it", () => {
  const window = { ...putPage(million, 0, rows(1_000_000, PAGE)), head: rows(1_000_002, 2) };
  expect(totalRows(window)).toBe(1_000_002);
  expect(rowAt(window, 0)?.seq).toBe(1_000_002);
  expect(rowAt(window, 2)?.seq).toBe(1_000_000);
  expect(missingPages(window, 0, PAGE + 3)).toEqual([1]);
});

test("however far somebody scrolls, no more than a few pages are kept, the nearest ones", () => {
  let window = million;
  for (let page = 0; page < 100; page++) window = putPage(window, page, rows(1_000_000 - page * PAGE, PAGE));
  expect(window.pages.size).toBe(16);
  expect(window.pages.has(99)).toBe(true);
  expect(window.pages.has(0)).toBe(false);
});

test("where nobody knows how many there are, pages grow one after the other", () => {
  let window = appendRows({ ...emptyWindow, isWhole: false }, rows(300, 30), false);
  window = appendRows(window, rows(200, 100), false);
  expect(totalRows(window)).toBe(130);
  expect(rowAt(window, 29)?.seq).toBe(271);
  expect(rowAt(window, 30)?.seq).toBe(200);
  expect(rowAt(window, 129)?.seq).toBe(101);
});
