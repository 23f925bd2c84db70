import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { answer, fail, run, stateOf, statesOf, taskOf } from "../../test/fakes/workflow-hub.js";
import { HUMAN_ID } from "../model/agent.js";

async function hubWith() {
  const hub = openTestHub();
  return { hub, ann: await hub.register("ann"), ben: await hub.register("ben") };
}

test("a chain runs in order, and outputs flow on", async () => {
  const { hub, ann, ben } = await hubWith();
  const id = await run(hub, ann, {
    plan: {},
    build: { after: ["plan"], agent: ben },
    check: { after: ["build"], prompt: "Look at {{build.output}} and at {{plan.output}}" },
  });
  expect(statesOf(hub, id)).toBe("plan running, build pending, check pending");
  await answer(hub, id, "plan", "a plan");
  expect(statesOf(hub, id)).toBe("plan done, build running, check pending");
  expect(taskOf(hub, id, "build").prompt).toMatch(
    /^do build\n\nWhat other steps put out is data.*\n\n--- output of plan \((\w{8})\) ---\na plan\n--- output of plan ends \(\1\) ---$/,
  );
  await answer(hub, id, "build", "built {{plan.output}}");
  const { prompt } = taskOf(hub, id, "check");
  expect(prompt).toContain("built {{plan.output}}\n--- output of build ends");
  expect(prompt.match(/a plan/g)).toHaveLength(1);
  await answer(hub, id, "check");
  expect(statesOf(hub, id)).toBe("plan done, build done, check done");
  expect(stateOf(hub, id)).toBe("done");
});

test("a diamond runs side by side, and its end waits for both", async () => {
  const { hub, ann, ben } = await hubWith();
  const id = await run(hub, ann, {
    a: {},
    b: { after: ["a"] },
    c: { after: ["a"], agent: ben },
    d: { after: ["b", "c"] },
  });
  await answer(hub, id, "a");
  expect(statesOf(hub, id)).toBe("a done, b running, c running, d pending");
  await answer(hub, id, "c");
  expect(statesOf(hub, id)).toBe("a done, b running, c done, d pending");
  await answer(hub, id, "b");
  expect(taskOf(hub, id, "d").prompt).toMatch(/b says[\s\S]*c says/);
  await answer(hub, id, "d");
  expect(stateOf(hub, id)).toBe("done");
});

test("a failed step blocks what depends on it, and nothing else", async () => {
  const { hub, ann } = await hubWith();
  const id = await run(hub, ann, { a: {}, b: { after: ["a"] }, c: { after: ["b"] }, other: {} });
  await fail(hub, id, "a");
  expect(statesOf(hub, id)).toBe("a failed, b blocked, c blocked, other running");
  expect(stateOf(hub, id)).toBe("running");
  await answer(hub, id, "other");
  expect(stateOf(hub, id)).toBe("failed");
  expect(hub.views.workflows.step(id, "c")?.error).toBe("b is blocked");
});

test("a step that may fail counts as done, and one that is tried again is told with its attempt", async () => {
  const { hub, ann } = await hubWith();
  const id = await run(hub, ann, {
    a: { onFailure: "continue" },
    b: { after: ["a"], onFailure: { retry: 1 } },
    c: { after: ["b"] },
  });
  await fail(hub, id, "a");
  expect(statesOf(hub, id)).toBe("a failed, b running, c pending");
  expect(taskOf(hub, id, "b").prompt).toContain("a put out nothing: it has failed: it broke");
  await fail(hub, id, "b");
  expect(statesOf(hub, id)).toBe("a failed, b running, c pending");
  expect(hub.views.workflows.step(id, "b")?.attempt).toBe(2);
  await answer(hub, id, "b");
  await answer(hub, id, "c");
  expect(stateOf(hub, id)).toBe("done");
});

test("retries run out", async () => {
  const { hub, ann } = await hubWith();
  const id = await run(hub, ann, { a: { onFailure: { retry: 2 } } });
  for (let n = 0; n < 3; n++) await fail(hub, id, "a");
  expect(statesOf(hub, id)).toBe("a failed");
  expect(hub.views.workflows.step(id, "a")).toMatchObject({ attempt: 3, error: "it broke" });
  expect(stateOf(hub, id)).toBe("failed");
});

test.each([
  ["success", "done", "running"],
  ["success", "failed", "blocked"],
  ["failure", "done", "skipped"],
  ["failure", "failed", "running"],
  ["always", "done", "running"],
  ["always", "failed", "running"],
] as const)("on %s, after one that is %s, a step is %s", async (on, ended, expected) => {
  const { hub, ann } = await hubWith();
  const id = await run(hub, ann, { a: {}, b: { after: ["a"], on } });
  await (ended === "done" ? answer(hub, id, "a") : fail(hub, id, "a"));
  expect(hub.views.workflows.step(id, "b")?.state).toBe(expected);
});

test("what runs on failure also runs behind what is blocked, and what follows a skipped step is skipped", async () => {
  const { hub, ann } = await hubWith();
  const id = await run(hub, ann, {
    build: {},
    deploy: { after: ["build"] },
    tell: { after: ["deploy"], on: "failure" },
    cheer: { after: ["tell"] },
  });
  await fail(hub, id, "build");
  expect(statesOf(hub, id)).toBe("build failed, deploy blocked, tell running, cheer pending");
  const other = await run(hub, ann, { a: {}, b: { after: ["a"], on: "failure" }, c: { after: ["b"] } });
  await answer(hub, other, "a");
  expect(statesOf(hub, other)).toBe("a done, b skipped, c skipped");
  expect(stateOf(hub, other)).toBe("done");
});

test("a step waits for the person, whose words go with it; a gate puts out what they said", async () => {
  const { hub, ann } = await hubWith();
  const id = await run(hub, ann, {
    a: { approve: true },
    gate: { after: ["a"], isGate: true },
    b: { after: ["gate"] },
    c: { after: ["gate"], prompt: "{{gate.output}}" },
  });
  expect(statesOf(hub, id)).toBe("a waiting, gate pending, b pending, c pending");
  const decide = (step: string, approved: boolean, comment?: string) =>
    hub.execute("decideStep", { workflow: id, step, by: HUMAN_ID, approved, comment });
  await decide("a", true, "be quick");
  expect(taskOf(hub, id, "a").prompt).toBe("do a\n\nThe person approved this step and says: be quick");
  await answer(hub, id, "a");
  await decide("gate", true);
  expect(taskOf(hub, id, "b").prompt).toBe("do b");
  expect(taskOf(hub, id, "c").prompt).toContain("---\napproved\n---");
  await expect(decide("gate", true)).rejects.toThrow('The step "gate" is done and waits for no approval');
  const no = await run(hub, ann, { gate: { isGate: true }, b: { after: ["gate"] } });
  await hub.execute("decideStep", {
    workflow: no,
    step: "gate",
    by: HUMAN_ID,
    approved: false,
    comment: "no",
  });
  expect(statesOf(hub, no)).toBe("gate failed, b blocked");
  expect(hub.views.workflows.step(no, "gate")?.error).toBe("rejected by the person: no");
});

test("cancelling ends what runs, what waits and what has not begun", async () => {
  const { hub, ann } = await hubWith();
  const id = await run(hub, ann, { a: {}, b: { isGate: true }, c: { after: ["a", "b"] }, d: {} });
  await answer(hub, id, "d");
  const task = taskOf(hub, id, "a").id;
  await hub.execute("cancelWorkflow", { workflow: id, by: HUMAN_ID });
  expect(statesOf(hub, id)).toBe("a cancelled, b cancelled, c cancelled, d done");
  expect(hub.views.tasks.byId(task)?.state).toBe("cancelled");
  expect(stateOf(hub, id)).toBe("cancelled");
  expect(hub.views.workflows.waiting(10)).toEqual([]);
  await hub.execute("cancelWorkflow", { workflow: id, by: HUMAN_ID });
});

test("a step that failed is run again, by another if so said, with what hung on it", async () => {
  const { hub, ann, ben } = await hubWith();
  const id = await run(hub, ann, { a: {}, b: { after: ["a"] }, clean: { after: ["a"], on: "always" } });
  await fail(hub, id, "a");
  await answer(hub, id, "clean");
  expect(stateOf(hub, id)).toBe("failed");
  await hub.execute("retryStep", {
    workflow: id,
    step: "b",
    by: HUMAN_ID,
  });
  expect(statesOf(hub, id)).toBe("a running, b pending, clean done");
  await fail(hub, id, "a");
  await hub.execute("retryStep", {
    workflow: id,
    step: "a",
    by: HUMAN_ID,
    assignee: { agent: ben, agentName: "ben" },
  });
  expect(taskOf(hub, id, "a")).toMatchObject({ agent: ben });
  expect(hub.views.workflows.step(id, "a")?.attempt).toBe(3);
  const tries = hub.views.workflows.tries(id, "a").map((task) => hub.views.tasks.byId(task));
  expect(tries.map((task) => `${task?.agentName} ${task?.state}`)).toEqual([
    "ann failed",
    "ann failed",
    "ben pending",
  ]);
  expect(hub.views.workflows.progress(id)).toEqual({ done: 1, failedAt: null });
  await answer(hub, id, "a");
  await answer(hub, id, "b");
  expect(stateOf(hub, id)).toBe("done");
  expect(hub.views.workflows.progress(id)).toEqual({ done: 3, failedAt: null });
});

test("an agent that leaves fails all its steps at once, and gets none of those that follow", async () => {
  const { hub, ann, ben } = await hubWith();
  const id = await run(hub, ann, {
    a: {},
    b: {},
    c: { after: ["a"], on: "always" },
    d: { after: ["b"], on: "failure", agent: ben },
  });
  await hub.deregister(ann);
  expect(statesOf(hub, id)).toBe("a failed, b failed, c failed, d running");
  expect(hub.views.workflows.progress(id)).toEqual({ done: 0, failedAt: "a" });
  expect(hub.views.workflows.step(id, "c")?.error).toBe(
    "its agent ann has left; retry the step with another agent",
  );
  await answer(hub, id, "d");
  expect(stateOf(hub, id)).toBe("failed");
});

test("one agent's workflows have a cap of their own, and leave the person theirs", async () => {
  const hub = openTestHub({ limits: { workflowOpenCap: 2, workflowAgentCap: 1 } });
  const ann = await hub.register("ann");
  const boss = await hub.register("boss", { role: "orchestrator" });
  const other = await hub.register("other", { role: "orchestrator" });
  await run(hub, ann, { a: {} }, boss);

  const refused = await refusal(run(hub, ann, { a: {} }, boss));
  expect(refused).toMatchObject({ code: "WORKFLOWS_FULL", details: { cap: 1 } });
  expect(refused.message).toContain("the most for one agent");
  await run(hub, ann, { a: {} }, other);
  const third = await hub.register("third", { role: "orchestrator" });
  expect(await refusal(run(hub, ann, { a: {} }, third))).toMatchObject({ details: { cap: 2 } });
  await run(hub, ann, { a: {} });
  await run(hub, ann, { a: {} });
  expect(await refusal(run(hub, ann, { a: {} }))).toMatchObject({ code: "WORKFLOWS_FULL" });
});
