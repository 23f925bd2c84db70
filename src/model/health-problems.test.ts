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
  links: undefined,
  peers: [],
  now: 0,
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

const away = {
  name: "r2d2",
  reachable: "no",
  secretState: "matched",
  waiting: 2,
  oldestAt: 0,
  distrusted: null,
  lastError: { at: 0, code: "PEER_UNREACHABLE", message: '"r2d2" at mini.local:3847 cannot be reached' },
} as const;

test.each([
  ["a peer that is away, with mail that waits for long", { now: 600_000 }, {}, /2 messages wait for r2d2/],
  ["a wrong secret", {}, { secretState: "wrong" }, /r2d2 does not take this hub's secret/],
  ["a secret that cannot be read", {}, { secretState: "missing" }, /secret of r2d2 cannot be read/],
  ["another key", {}, { distrusted: { at: 0, message: "shows another key" } }, /another key/],
] as const)("%s is a problem of the hub", (_, facts, more, text) => {
  const problems = findProblems({ ...fine, ...facts, peers: [{ ...away, ...more }] });
  expect(problems).toMatchObject([{ kind: "peer", text: expect.stringMatching(text) as unknown }]);
});

test("a peer that is away for a moment, or has nothing to get, is none; links that do not run are one", () => {
  expect(kinds({ now: 599_000, peers: [away] })).toEqual([]);
  expect(kinds({ now: 6e6, peers: [{ ...away, waiting: 0, oldestAt: null }] })).toEqual([]);
  expect(kinds({ links: "Port 3847 is taken" })).toEqual(["peer"]);
});
