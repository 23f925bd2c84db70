import { HUMAN_ID } from "../../src/model/agent.js";
import type { WorkflowStep } from "../../src/model/workflow.js";
import { readAll, type Story } from "./planting-story.js";

/* The part of the planted story that is about tasks, checks, workflows, worktrees, pauses and budgets. */

/** What is asked and answered is for two; that there is a task is no secret. */
export async function assignTasks({ hub, secret, ids }: Story, ann: string): Promise<void> {
  const tim = await hub.register("tim", { team: "red" });
  const by = HUMAN_ID;
  const done = await hub.assign(tim, `zebra ${secret("task-prompt")}`, { id: "t-done", by });
  await readAll(hub, tim);
  await hub.sendTo(tim, "user", `zebra ${secret("task-answer")}`, { replyTo: done, id: "m-task-answer" });
  const running = await hub.assign(tim, `zebra ${secret("running-task")}`, { id: "t-running", by });
  await readAll(hub, tim);
  const failed = await hub.assign(ann, `zebra ${secret("unwanted-task")}`, { id: "t-unwanted", by });
  await hub.execute("cancelTask", { task: failed, by });
  const lost = await hub.assign(tim, `zebra ${secret("failed-task")}`, { id: "t-failed", by });
  await hub.execute("failTask", { task: lost, error: secret("task-error") });
  ids.push(done, running, failed, lost, "m-task-answer", `${lost}.end`);
}

/** That there is a workflow, and how far it is, is no secret; what it is about is. */
export async function runWorkflows({ hub, secret, ids }: Story, ann: string): Promise<void> {
  const by = HUMAN_ID;
  const step = (name: string, prompt: string, more: Partial<WorkflowStep> = {}): WorkflowStep => ({
    name,
    dependsOn: [],
    on: "success",
    prompt,
    agent: ann,
    agentName: "ann",
    ...more,
  });
  const steps = [
    step("plan", `zebra ${secret("step-prompt")}`),
    step("build", `zebra {{plan.output}} ${secret("pending-step")}`, { dependsOn: ["plan"], approve: true }),
    step("broken", `zebra ${secret("failed-step")}`, { onFailure: "continue" }),
    step("after", `zebra ${secret("last-step")}`, { dependsOn: ["build"] }),
  ];
  await hub.execute("createWorkflow", { by, id: "zoo", name: "a workflow", steps });
  const taskOf = (name: string) => hub.views.workflows.step("wf-zoo", name)?.task ?? "";
  await hub.execute("failTask", { task: taskOf("broken"), error: secret("step-error") });
  await readAll(hub, ann);
  await hub.sendTo(ann, "user", `zebra ${secret("step-answer")}`, { replyTo: taskOf("plan"), id: "m-step" });
  const comment = secret("approval-comment");
  await hub.execute("decideStep", { workflow: "wf-zoo", step: "build", by, approved: true, comment });
  ids.push("wf-zoo", "m-step", taskOf("plan"), taskOf("build"), taskOf("broken"));
  await hub.execute("cancelWorkflow", { workflow: "wf-zoo", by });
  await hub.execute("retryStep", { workflow: "wf-zoo", step: "build", by });
}

/** What a check runs is the operator's, and what it prints is for the two ends of the task. */
export async function checkTasks({ hub, secret, ids }: Story): Promise<void> {
  const by = HUMAN_ID;
  const uma = await hub.register("uma", { team: "red", project: "/proj/u" });
  const outputSchema = { type: "object", description: secret("output-schema") };
  const task = await hub.assign(uma, `zebra ${secret("checked-task")}`, {
    id: "t-checked",
    by,
    outputSchema,
    attempts: 2,
  });
  await readAll(hub, uma);
  await hub.sendTo(uma, "user", `zebra ${secret("checked-answer")}`, {
    replyTo: task,
    id: "m-checked-answer",
  });
  const check = { name: "output_schema", passed: false, exit: 1, ms: 3, output: secret("check-output") };
  const argv = ["npm", secret("check-argument")];
  await hub.execute("requestPermission", {
    agent: uma,
    turn: null,
    id: "p-check",
    tool: "npm",
    title: `run check ${secret("check-title")}`,
    act: "check",
    details: { argv },
    options: [{ id: "always", label: "Always", grants: "always" }],
    run: { task, check: "unit", argv, project: secret("check-project") },
  });
  await hub.execute("answerPermission", { permission: "p-check", decision: "always", by });
  await hub.execute("forgetCheck", { check: "unit", by });
  await hub.execute("allowCheck", { check: "unit", argv, project: secret("check-project"), by });
  await hub.execute("recordCheck", { task, attempt: 1, nth: 0, check });
  await hub.execute("judgeTask", { task, attempt: 1 });
  ids.push(task, `${task}.2`, "m-checked-answer", "p-check");
}

/** Where somebody's agent works, for whoever asked for it and for orchestrators. */
export async function useWorktrees({ hub, secret, ids }: Story, ann: string): Promise<void> {
  const path = `/proj/w/.huddle/worktrees/${secret("worktree")}`;
  const branch = "huddle/w-kept";
  for (const kept of [true, false]) {
    const name = kept ? "w-kept" : "w-removed";
    const worktree = {
      name,
      agent: `a-${name}`,
      by: ann,
      project: path,
      path,
      folder: path,
      branch,
      base: "c0",
    };
    await hub.execute("planWorktree", { worktree });
    await hub.execute("recordWorktree", { name });
    const result = { branch, path, kept, commits: 1, files: 2, insertions: 3, deletions: 4 };
    await hub.execute("endWorktree", { name, agent: worktree.agent, result });
    ids.push(name);
  }
}

/** Paused, with mail that waits, and at a budget: what of it is in mail or said in a turn is nobody else's. */
export async function standStill({ hub, secret, ids }: Story, ann: string): Promise<void> {
  const where = { project: "/proj/h", backend: "none", permissions: "ask", runtime: "acp" } as const;
  const { id: max } = await hub.execute("spawnAgent", { by: ann, name: "max", ...where });
  await hub.execute("pauseAgents", { by: HUMAN_ID });
  await hub.execute("resumeAgents", { by: HUMAN_ID });
  await hub.send(ann, max, `zebra ${secret("cut-by-a-pause")}`, { id: "m-still" });
  const turn = { agent: max, turn: "t-still" };
  await hub.execute("offerTurn", { ...turn, route: "runtime", continues: false, noted: false });
  await hub.execute("pauseAgents", { by: HUMAN_ID, agent: max, now: true });
  const said = { stop: "cancelled" as const, text: secret("said-before-a-pause"), usage: { costUsd: 1e6 } };
  await hub.execute("recordTurnEnded", { ...turn, ...said });
  await hub.execute("decideBudget", { kind: "agent", key: max, decision: "continue" });
  await hub.send(ann, max, `zebra ${secret("waits-for-the-paused")}`, { id: "m-paused" });
  ids.push(turn.turn, "m-still", "m-paused");
}
