import { expect, test } from "vitest";
import { type Column, moveOn } from "./board.js";

const column = (kind: Column["kind"], ...ids: string[]): Column => ({
  kind,
  title: kind,
  note: "",
  requests: ids.map((request_id) => ({
    request_id,
    status: kind,
    from: "ann",
    description: "x",
    timestamp: "2026-01-01T00:00:00.000Z",
    timeout_seconds: 300,
    nudges: 0,
  })),
});
const board = [column("open", "a", "b", "c"), column("claimed"), column("answered", "x")];

test("keys move within a column and stay at its ends", () => {
  expect(moveOn(board, "a", { rows: 1 })).toBe("b");
  expect(moveOn(board, "c", { rows: 1 })).toBe("c");
  expect(moveOn(board, "a", { rows: -1 })).toBe("a");
});

test("keys move to the next column that has something, at about the same height", () => {
  expect(moveOn(board, "c", { columns: 1 })).toBe("x");
  expect(moveOn(board, "x", { columns: -1 })).toBe("a");
  expect(moveOn(board, "x", { columns: 1 })).toBe("x");
});

test("without a choice the first of all is taken, or none", () => {
  expect(moveOn(board, undefined, { rows: 1 })).toBe("a");
  expect(moveOn(board, "elsewhere", { columns: 1 })).toBe("a");
  expect(moveOn([column("open")], undefined, { rows: 1 })).toBeUndefined();
});
