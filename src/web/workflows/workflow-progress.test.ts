import { expect, test } from "vitest";
import { second, shownStep } from "../../../test/fakes/shown-workflow.js";
import { edgeLook } from "./edge-look.js";
import type { Run } from "./use-workflows.js";
import { progressOf, sayProgress, sayRun } from "./workflow-progress.js";

const workflow = {
  steps: [
    shownStep("a", "done"),
    shownStep("b", "running"),
    shownStep("c", "waiting"),
    shownStep("d", "failed"),
    shownStep("e", "blocked"),
  ],
};

test("how far a workflow is, in words and as a bar", () => {
  expect(sayProgress(workflow)).toBe("1/5 done · 2 running · 1 failed");
  expect(progressOf(workflow)).toEqual([
    { tone: "green", part: 0.2 },
    { tone: "grey", part: 0.2 },
    { tone: "blue", part: 0.2 },
    { tone: "red", part: 0.2 },
  ]);
});

const run = (status: Run["status"], done_steps: number, failed_at?: string): Run => ({
  workflow_id: "wf-1",
  name: "x",
  by: "user",
  status,
  created: second(0),
  ended: null,
  steps: 7,
  ended_steps: 7,
  done_steps,
  ...(failed_at === undefined ? {} : { failed_at }),
});

test.each([
  [run("done", 7), "7/7 done"],
  [run("done", 6), "6/7, done"],
  [run("failed", 4, "build"), "4/7, failed at build"],
  [run("waiting", 3), "3/7, waits for you"],
  [run("cancelled", 1), "1/7, cancelled"],
])("a run in the list: %#", (one, words) => {
  expect(sayRun(one)).toBe(words);
});

test("a line says whether the workflow went there, may go there, or cannot", () => {
  const look = (from: Parameters<typeof shownStep>[1], to: Parameters<typeof shownStep>[1]) =>
    edgeLook(shownStep("a", from), shownStep("b", to));
  expect(look("done", "running")).toBe("gone");
  expect(look("running", "pending")).toBe("open");
  expect(look("failed", "blocked")).toBe("broken");
  expect(look("failed", "pending")).toBe("broken");
  expect(look("done", "skipped")).toBe("open");
});
