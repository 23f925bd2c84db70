import { expect, test } from "vitest";
import { shownStep } from "../../../test/fakes/shown-workflow.js";
import { exitOf, sayNext } from "./say-next.js";

type Failed = Parameters<typeof sayNext>[0];
type Check = Failed["tries"][number]["checks"][number];

const check = (more: Partial<Check> = {}): Check => ({
  name: "unit",
  passed: false,
  exit: 1,
  ms: 5,
  output: "",
  ...more,
});
const tried = (...checks: Check[]): Failed["tries"] => [
  {
    task_id: "task-a",
    agent: "codex",
    by: "user",
    status: "failed",
    error: null,
    attempt: 1,
    attempts: 1,
    checks,
    worktree: null,
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: null, turns: 0 },
    assigned: "",
    started: null,
    ended: null,
  },
];
const failed = (error: string, more: Partial<Failed> = {}): Failed => ({
  ...shownStep("a", "failed", { error }),
  tries: [],
  ...more,
});

test.each([
  ["a limit that says when it ends", failed("429 quota exceeded, resets 14:40"), "Retry after 14:40"],
  [
    "an agent that is gone",
    failed("its agent ann has left; retry the step"),
    "Give the step to another agent.",
  ],
  [
    "a person who said no",
    failed("rejected by the person", { approve: true, task_id: null }),
    "asks you again",
  ],
  [
    "a check",
    failed('the check "unit" did not pass', { tries: tried(check()) }),
    "what the check unit printed",
  ],
  ["anything else", failed("its process ended"), "Retry it, or give the step to another agent."],
  ["what is blocked", { ...failed(""), status: "blocked" as const }, "retries what failed before it"],
  ["what was skipped", { ...failed(""), status: "skipped" as const }, "runs it all the same"],
])("after %s there is a next step", (_, step, words) => {
  expect(sayNext(step)).toContain(words);
});

test("the exit code is that of the check, or the one that the error tells", () => {
  expect(exitOf({ error: "the check did not pass", tries: tried(check({ exit: 2 })) })).toBe(2);
  expect(exitOf({ error: 'its process ended (code 137): "killed"', tries: [] })).toBe(137);
  expect(exitOf({ error: "it took too long", tries: tried(check({ exit: null })) })).toBeUndefined();
});
