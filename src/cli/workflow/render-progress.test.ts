import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import {
  STARTED,
  second,
  shownStep as step,
  shownWorkflow as workflow,
} from "../../../test/fakes/shown-workflow.js";
import { renderProgress, type View } from "./render-progress.js";

const view: View = {
  now: STARTED + 72_000,
  width: 80,
  height: 40,
  colors: pc.createColors(false),
};
const diamond = [
  step("plan", "done", { agent: "claude-code", ended: second(12) }),
  step("backend", "done", { depends_on: ["plan"], started: second(12), ended: second(52) }),
  step("frontend", "running", { depends_on: ["plan"], agent: "gemini", started: second(12) }),
  step("join", "pending", { depends_on: ["backend", "frontend"] }),
  step("ship", "pending", { depends_on: ["join"], agent: "" }),
];
const text = (lines: readonly string[]) => `\n${lines.map((line) => line.trimEnd()).join("\n")}\n`;

test("a diamond in the middle of its way", () => {
  expect(text(renderProgress(workflow("running", diamond), view))).toBe(`
Ship it  wf-1  running  1m 12s
█████████░░░░░░░░░░░░░░░  2 of 5 steps

✓ plan        claude-code  12s
├─✓ backend   codex        40s
└─● frontend  gemini       1m 0s
  └─○ join    codex               after backend, frontend
    └─○ ship
`);
});

test("a narrow screen has no room for who does it, and names and notes are cut", () => {
  expect(text(renderProgress(workflow("running", diamond), { ...view, width: 40 }))).toBe(`
Ship it  wf-1  running  1m 12s
█████████░░░░░░░░░░░░░░░  2 of 5 steps

✓ plan        12s
├─✓ backend   40s
└─● frontend  1m 0s
  └─○ join           after backend, fro…
    └─○ ship
`);
});

test("every status has its mark, and what waits for the person says what to type", () => {
  const steps = [
    step("lint", "failed", { error: "the check unit failed:\nexit 1", ended: second(20), attempt: 2 }),
    step("build", "blocked", { depends_on: ["lint"], started: null }),
    step("docs", "skipped", { depends_on: ["lint"], started: null }),
    step("deploy", "waiting", { approve: true, task_id: null, started: null }),
    step("ask", "waiting", { repeated: true }),
    step("old", "cancelled", { ended: second(3) }),
    step("mend", "pending", { depends_on: ["lint"], on: "failure" }),
  ];
  const trouble = "The hub is away; waiting for it…";
  expect(text(renderProgress(workflow("waiting", steps), { ...view, trouble }))).toBe(`
Ship it  wf-1  waiting  1m 12s
█████████████░░░░░░░░░░░  4 of 7 steps

✗ lint     codex  20s     try 2, the check unit failed:
├─⊘ build  codex          blocked
├─– docs   codex          skipped
└─○ mend   codex          on failure
? deploy   codex
? ask      codex  1m 12s  repeated
□ old      codex  3s      cancelled

→ deploy waits for you: huddle workflow approve wf-1 deploy
→ ask waits for you: huddle inbox
The hub is away; waiting for it…
`);
});

test("a command that does not fit has a line of its own", () => {
  const gate = [step("deploy", "waiting", { approve: true, task_id: null })];
  expect(renderProgress(workflow("waiting", gate), { ...view, width: 45 }).slice(-2)).toEqual([
    "→ deploy waits for you:",
    "  huddle workflow approve wf-1 deploy",
  ]);
});

test("of more steps than the screen has lines, those that matter are shown, and the rest is counted", () => {
  const steps = Array.from({ length: 200 }, (_, i) =>
    step(`s${i}`, i < 100 ? "done" : i < 103 ? "running" : "pending", {
      depends_on: i > 0 ? [`s${i - 1}`] : [],
    }),
  );
  steps[150] = step("s150", "failed", { error: "no luck", ended: second(2), depends_on: ["s149"] });
  expect(text(renderProgress(workflow("running", steps), { ...view, height: 10 }))).toBe(`
Ship it  wf-1  running  1m 12s
████████████░░░░░░░░░░░░  101 of 200 steps

● s100  codex  1m 12s  after s99
● s101  codex  1m 12s  after s100
● s102  codex  1m 12s  after s101
○ s103  codex          after s102
○ s104  codex          after s103
✗ s150  codex  2s      no luck, after s149
  … and 194 more: 100 done, 94 pending
`);
});

test("no line is wider than the screen, and there are never more than it has", () => {
  const wide = [
    ...diamond,
    step("漢字".repeat(30), "failed", { error: "ü".repeat(300), agent: "a".repeat(90) }),
    step("\u001b[2J", "waiting", { approve: true, task_id: null, started: null }),
  ];
  for (const width of [10, 20, 33, 50, 80, 200]) {
    for (const height of [5, 8, 30]) {
      const lines = renderProgress(workflow("waiting", wide, { name: "n".repeat(300) }), {
        ...view,
        width,
        height,
      });
      expect(lines.length).toBeLessThanOrEqual(height);
      for (const line of lines.slice(3)) expect(stringWidth(line)).toBeLessThanOrEqual(Math.max(width, 24));
      expect(lines.join("")).not.toContain("\u001b");
    }
  }
});

test("colours change nothing but the colours", () => {
  const colored = renderProgress(workflow("running", diamond), { ...view, colors: pc.createColors(true) });
  expect(colored.join("\n")).toContain("\u001b[32m✓");
  expect(text(colored.map(stripVTControlCharacters))).toBe(
    text(renderProgress(workflow("running", diamond), view)),
  );
});
