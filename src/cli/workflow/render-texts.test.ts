import { Writable } from "node:stream";
import pc from "picocolors";
import { expect, test } from "vitest";
import {
  STARTED,
  second,
  shownStep as step,
  shownWorkflow as workflow,
} from "../../../test/fakes/shown-workflow.js";
import type { StepDetails } from "../../client/hub-client.js";
import type { TextOutput } from "../cli-io.js";
import { renderChanges } from "./render-changes.js";
import { renderSummary } from "./render-summary.js";
import { createScreen } from "./screen.js";
import { renderStep } from "./show-step.js";
import { renderList, renderWorkflow } from "./show-workflow.js";
import { resultCode } from "./workflow-result.js";

const colors = pc.createColors(false);
const now = STARTED + 72_000;
const changes = (...args: Parameters<typeof renderChanges>) =>
  renderChanges(...args).map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""));

test("every change of a step is a line, and nothing else is", () => {
  const first = workflow("running", [
    step("a", "running"),
    step("b", "pending", { depends_on: ["a"] }),
    step("c", "pending", { depends_on: ["b"], approve: true }),
  ]);
  expect(changes(undefined, first, now)).toEqual(["● a runs (codex)"]);
  expect(changes(first, first, now)).toEqual([]);
  const second_ = workflow("waiting", [
    step("a", "done", { ended: second(7) }),
    step("b", "failed", { error: "exit 1\nmore", ended: second(9) }),
    step("c", "waiting", { approve: true, task_id: null, started: null }),
    step("d", "blocked", { started: null }),
    step("e", "skipped", { started: null }),
    step("f", "cancelled", { started: null }),
    step("g", "waiting"),
  ]);
  expect(changes(first, second_, now)).toEqual([
    "✓ a is done after 7s",
    "✗ b failed after 9s: exit 1",
    "? c waits for you: huddle workflow approve wf-1 c",
    "⊘ d is blocked: what it depends on failed",
    "– e is skipped",
    "□ f is cancelled",
    "? g waits for you: huddle inbox",
  ]);
  const third = workflow("running", [step("b", "pending", { attempt: 1 })]);
  expect(changes(second_, third, now)).toEqual(["○ b is to run again"]);
  expect(changes(third, workflow("running", [step("b", "running", { attempt: 2 })]), now)).toEqual([
    "● b runs (codex), try 2",
  ]);
});

test("the summary has the outputs that no step took up, and how to see the rest", () => {
  const long = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join("\n");
  const done = workflow(
    "done",
    [
      step("a", "done", { output: "taken up", ended: second(3) }),
      step("c", "skipped", { depends_on: ["b"], on: "failure", started: null }),
      step("b", "done", { depends_on: ["a"], output: `\x1b[2J${long}`, ended: second(9) }),
    ],
    { usage: { input_tokens: 1200, output_tokens: 34, cost_usd: 0.125, turns: 2 } },
  );
  const lines = renderSummary(done, colors).split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "✓ Ship it is done in 1m 12s: 2 of 3 steps done, 1,234 tokens, $0.13",
    "",
    "b (codex):",
    "  \\x1b[2Jline 1",
  ]);
  expect(lines.at(-1)).toBe("  … 10 more lines: huddle workflow show wf-1 --output b");
  expect(resultCode(done)).toBe(0);
});

test("the summary of a failure says why, and how to go on", () => {
  const failed = workflow("failed", [
    step("a", "failed", { error: "the check unit failed:\nexit 1", ended: second(3) }),
    step("b", "blocked", { depends_on: ["a"], started: null }),
  ]);
  expect(renderSummary(failed, colors)).toBe(
    [
      "✗ Ship it failed in 1m 12s: 0 of 2 steps done",
      "",
      "✗ a (codex): the check unit failed:",
      "  exit 1",
      "  Run it again with what depends on it: huddle workflow retry wf-1 a",
    ].join("\n"),
  );
  expect(resultCode(failed)).toBe(1);
});

test("each result has its exit code", () => {
  const codes = (["done", "failed", "cancelled", "waiting", "running"] as const).map((status) =>
    resultCode(workflow(status, [])),
  );
  expect(codes).toEqual([0, 1, 8, 9, 130]);
});

test("show is a table of the steps", () => {
  const shown = workflow("waiting", [
    step("plan", "done", {
      agent: "plan",
      backend: "codex",
      output: "\nFirst, look.\nThen leap.",
      ended: second(12),
    }),
    step("build", "failed", { agent: "gemini", error: "exit 1", attempt: 3, ended: second(30) }),
    step("ship", "waiting", { agent: "", approve: true, task_id: null, started: null, depends_on: ["plan"] }),
  ]);
  expect(renderWorkflow(shown, { colors, width: undefined }, now)).toBe(
    [
      "wf-1  waiting  Ship it",
      "for user, started 1m ago, 0 tokens",
      "",
      "STEP   STATUS     AGENT   TIME  WHAT",
      "plan   ✓ done     codex   12s   First, look.",
      "build  ✗ failed   gemini  30s   try 3; exit 1",
      "ship   ? waiting  –       –     after plan",
      "→ ship waits for you: huddle workflow approve wf-1 ship",
    ].join("\n"),
  );
});

test("the list has a line for each workflow, or says how to run one", () => {
  const { usage: _, steps, ...rest } = workflow("running", []);
  const row = { ...rest, steps: steps.length + 3, ended_steps: 1, done_steps: 1 };
  expect(renderList({ workflows: [row], next: null }, { colors, width: undefined }, now)).toBe(
    "WORKFLOW  STATUS   STEPS  STARTED  NAME\nwf-1      running  1/3    1m ago   Ship it",
  );
  expect(renderList({ workflows: [], next: null }, { colors, width: undefined }, now)).toContain(
    "huddle workflow run FILE.yaml",
  );
});

test("one step has its prompt, what flowed into it, its tries with their checks, and its output", () => {
  const build: StepDetails = {
    ...step("build", "failed", { error: "exit 1", attempt: 2 }),
    prompt: "Build {{plan.output}}",
    inputs: [{ step: "plan", status: "done", output: "First\nthen", error: null }],
    comment: null,
    output: "half of it",
    tries: [
      {
        task_id: "task-1",
        agent: "codex",
        by: "user",
        status: "failed",
        error: "exit 1",
        attempt: 1,
        attempts: 1,
        checks: [{ name: "unit", passed: false, exit: 1, ms: 1200, output: "2 failed" }],
        worktree: null,
        usage: { input_tokens: 0, output_tokens: 0, cost_usd: null, turns: 0 },
        assigned: second(0),
        started: second(0),
        ended: second(30),
      },
    ],
  };

  expect(renderStep(build, colors)).toBe(
    [
      "✗ build (codex)  failed",
      "\nPROMPT\n  Build {{plan.output}}",
      "\nFROM EARLIER STEPS\n  ✓ plan: First",
      "\nTRIES",
      "  1. codex, failed, 30s: exit 1\n     ✗ unit, exit 1, 1s",
      "\nWHY IT DID NOT SUCCEED\n  exit 1",
      "\nOUTPUT\n  half of it",
    ].join("\n"),
  );
});

test("a frame is one write that goes back over the lines of the last, broken ones too", () => {
  const written: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      written.push(chunk.toString("utf8"));
      done();
    },
  });
  const terminal: TextOutput = Object.assign(sink, { isTTY: true, columns: 10 });
  const screen = createScreen(terminal);
  screen.draw(["12345678", "ab"]);
  terminal.columns = 5;
  screen.draw(["x"]);
  expect(written).toHaveLength(2);
  expect(written[0]).toContain("\r12345678\x1b[K\n\rab\x1b[K\n\x1b[J");
  expect(written[0]).not.toContain("A\r");
  expect(written[1]).toContain("\x1b[3A\rx\x1b[K\n\x1b[J");
});
