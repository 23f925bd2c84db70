import { expect, test } from "vitest";
import { findProblems, type HealthFacts } from "./health-problems.js";

const fine: HealthFacts = {
  hub: undefined,
  disk: { free_bytes: 50e9, reserve_bytes: 256e6 },
  views: [{ name: "search", behind: 12 }],
  limits: [
    { key: "hosting.agents", label: "Agents", used: 6, most: 50 },
    { key: "cooldown.cap", label: "Pair", used: 9, most: 0 },
  ],
  missing: [],
};
const kinds = (facts: Partial<HealthFacts>) => findProblems({ ...fine, ...facts }).map(({ kind }) => kind);

test("a hub that works has no problems; no limit is no problem", () => {
  expect(findProblems(fine)).toEqual([]);
});

test("each kind of problem is told with its next step", () => {
  expect(kinds({ disk: { free_bytes: 400e6, reserve_bytes: 256e6 } })).toEqual(["disk"]);
  expect(kinds({ views: [{ name: "search", behind: 30_000 }] })).toEqual(["view"]);
  expect(kinds({ limits: [{ key: "inbox.cap", label: "Inbox", used: 900, most: 1000 }] })).toEqual(["limit"]);
  const [problem] = findProblems({
    ...fine,
    missing: [{ backend: "droid", agents: ["a", "b", "c", "d"], install: "npm i -g droid" }],
  });
  expect(problem).toEqual({
    kind: "backend",
    text: "droid is not installed, and a, b, c and 1 more run on it",
    next: "Install it with: npm i -g droid",
  });
});

test("a full disk is told once, by the hub itself", () => {
  expect(kinds({ hub: "The disk is full", disk: { free_bytes: 1, reserve_bytes: 256e6 } })).toEqual(["hub"]);
});
