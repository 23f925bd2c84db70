import { expect, test } from "vitest";
import { checkWorkflow } from "./check-workflow.js";
import { nameSteps } from "./name-steps.js";
import type { DefinedStep } from "./workflow.js";

const step = (name: string, more: Partial<DefinedStep> = {}): DefinedStep => ({
  name,
  agent: "ann",
  prompt: "do it",
  ...more,
});
const issuesOf = (...steps: DefinedStep[]) =>
  checkWorkflow({ steps }).map(({ path, problem }) => `${path.join(".")}: ${problem}`);

test("a chain and a diamond are fine, in any order", () => {
  expect(issuesOf(step("b", { depends_on: ["a"], prompt: "after {{ a.output }}" }), step("a"))).toEqual([]);
  const diamond = [
    step("d", { depends_on: ["b", "c"], prompt: "{{a.output}} of the first" }),
    step("b", { depends_on: ["a"] }),
    step("c", { depends_on: ["a"] }),
    step("a"),
  ];
  expect(issuesOf(...diamond)).toEqual([]);
});

test("names are their agents' or backends', then numbered, around those that are given", () => {
  const ann = { agent: "ann", prompt: "x" };
  const gate = { approve: true };
  expect(
    nameSteps([
      ann,
      ann,
      { name: "ann-2" },
      { backend: "codex", prompt: "x" },
      gate,
      gate,
      { agent: "red/bob" },
    ]),
  ).toEqual(["ann", "ann-3", "ann-2", "codex", "approval", "approval-2", "bob"]);
});

test("a circle is told with its steps in order, one behind it is not", () => {
  expect(
    issuesOf(
      step("a", { depends_on: ["c"] }),
      step("b", { depends_on: ["a"] }),
      step("c", { depends_on: ["b"] }),
      step("behind", { depends_on: ["a"] }),
    ),
  ).toEqual([
    "steps.0.depends_on.0: these steps depend on each other in a circle, so that none could begin: a → c → b → a",
  ]);
});

test("two circles are both told", () => {
  const found = issuesOf(
    step("a", { depends_on: ["b"] }),
    step("b", { depends_on: ["a"] }),
    step("c", { depends_on: ["a", "d"] }),
    step("d", { depends_on: ["c"] }),
  );
  expect(found.map((issue) => issue.replace(/.*: /, ""))).toEqual(["a → b → a", "c → d → c"]);
});

test("what is wrong is told all at once, each with its place", () => {
  expect(
    issuesOf(
      step("plan", { depends_on: ["plan"] }),
      step("plan"),
      step("build", { depends_on: ["plna"], prompt: "{{nope.output}} {{build.output}} {{build.outptu}}" }),
      { name: "none", agent: "ann" },
      { name: "who", prompt: "x" },
      { name: "both", agent: "a", backend: "b", prompt: "x" },
      { name: "gate", approve: true, agent: "ann", on_failure: { retry: 1 } },
      step("never", { on: "failure" }),
      step("apart", { prompt: "{{build.output}} and {{ whatever }} and $ {{ secrets.X }}" }),
    ),
  ).toEqual([
    'steps.0.depends_on.0: "plan" depends on itself',
    'steps.1.name: two steps are named "plan"; give this one another name',
    'steps.2.depends_on.0: no step is named "plna"; did you mean "plan"?',
    "steps.3: it has no prompt; a step without one needs approve: true, and only asks the person",
    "steps.4: it does not say who does it: name an agent or a backend",
    "steps.5.backend: name either an agent or a backend, not both",
    "steps.6.agent: a step without a prompt only asks for approval: leave this out, or give it a prompt",
    "steps.6.on_failure: what the person rejected is not asked again: use fail or continue",
    "steps.7.on: it would never run: on: failure needs a step in depends_on",
    'steps.2.prompt: {{nope.output}}: no step is named "nope"; did you mean "none"?',
    "steps.2.prompt: {{build.output}} is its own output, which it does not have yet",
    'steps.2.prompt: {{build.outptu}}: a step has no "outptu"; write {{build.output}}',
    'steps.8.prompt: {{build.output}}: it does not depend on "build"; add it to depends_on',
  ]);
});

test("none, and too many, are refused without looking further", () => {
  expect(issuesOf()).toEqual(["steps: a workflow has at least one step"]);
  const many = Array.from({ length: 10_000 }, (_, n) =>
    step(`s${n}`, { depends_on: [`s${(n + 1) % 10_000}`] }),
  );
  expect(issuesOf(...many)).toEqual(["steps: 10000 steps are too many: at most 1000 (workflows.steps)"]);
});

test("a thousand steps that each depend on all before them are looked through", () => {
  const names = Array.from({ length: 1000 }, (_, n) => `s${n}`);
  const all = names.map((name, n) => step(name, { depends_on: names.slice(0, n) }));
  all.push();
  expect(issuesOf(...all)).toEqual([]);
  const chain = names.map((name, n) =>
    step(name, { depends_on: n === 0 ? [] : [`s${n - 1}`], prompt: n === 0 ? "x" : "{{s0.output}}" }),
  );
  expect(issuesOf(...chain)).toEqual([]);
});
