import { expect, test } from "vitest";
import { sayAnswered, sayClaimed, shortId, splitDescription } from "./request-words.js";
import type { ShownRequest } from "./use-requests.js";

const request: ShownRequest = {
  request_id: "req-r-1",
  status: "answered",
  from: "ann",
  description: "Look at totals\n\nIt rounds twice.",
  context: "cart.ts",
  timestamp: "2026-01-01T12:00:00.000Z",
  timeout_seconds: 300,
  nudges: 0,
  claimed_at: "2026-01-01T12:00:04.000Z",
  answered_at: "2026-01-01T12:01:51.000Z",
};

test("the first line is what it is about", () => {
  expect(splitDescription(request)).toEqual({
    title: "Look at totals",
    more: "It rounds twice.\n\ncart.ts",
  });
  expect(splitDescription({ description: "One line" })).toEqual({ title: "One line", more: "" });
});

test("times are told from when it was asked", () => {
  expect(sayClaimed(request)).toBe("claimed after 4 s");
  expect(sayAnswered(request)).toBe("answered in 1:51");
});

test("an id that the hub made is told by its end", () => {
  expect(shortId("req-r-1")).toBe("req-r-1");
  expect(shortId("req-01a1eb20-6570-735d-9a49-a40e725cba1e")).toBe("req-ba1e");
});
