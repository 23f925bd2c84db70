import { HUMAN_ID } from "../../src/model/agent.js";
import type { WorkflowStep } from "../../src/model/workflow.js";
import { peerNamed } from "../fakes/linked-hubs.js";
import type { TestHub } from "../fakes/test-hub.js";
import { linkHubs } from "./tell-links.js";

/*
 * One story, told to a hub, in which everything happens that a journal can hold. The journal that came of it at its time is
 * kept beside this file: later versions must read it and make the same views of it.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export async function tellEveryEvent(hub: TestHub): Promise<void> {
  const { ann, ben } = await exchangeMail(hub);
  await limitMail(hub, ann, ben);
  await askForHelp(hub, ann, ben);
  await hostAgents(hub, ann);
  await assignTasks(hub, ben);
  await useWorktrees(hub, ann);
  await runWorkflows(hub, ben);
  await checkTasks(hub);
  await standStill(hub, ann);
  await linkHubs(hub, ann);
  await leave(hub, ann, ben);
}

async function exchangeMail(hub: TestHub) {
  const ann = await hub.register("ann", { team: "red", project: "/proj/a", model: "m1", backend: "claude" });
  const ben = await hub.register("ben", { heartbeat: true, attention: "fyi" });
  await hub.register("cat", { team: "red", role: "orchestrator" });
  // To whom the hub may POST answers.
  await hub.execute("addPeer", { peer: peerNamed("mini", { kind: "plain" }) });
  const question = await hub.send(ann, ben, "Which port? ✓", {
    context: "the desk",
    attention: "interrupt",
    callbackUrl: "http://mini.local:3847/back",
  });
  await readAll(hub, ben);
  await hub.send(ben, ann, "9223", { replyTo: question.messageId, metadata: { certain: true } });
  for (const [attempt, kind] of [
    [1, "failed"],
    [2, "refused"],
  ] as const) {
    const callback = hub.views.callbacks.all()[0]?.callback ?? "";
    await hub.execute("recordCallback", { callback, attempt, outcome: { kind, reason: "it is down" } });
  }
  await hub.execute("broadcast", { from: ann, content: "to everybody" });
  await hub.execute("broadcast", { from: ann, content: "to my team", team: "red" });
  await hub.send(ann, ben, "in vain", { expiresInMs: MINUTE });
  hub.clock.advance(2 * MINUTE);
  await hub.ring();
  await hub.execute("updateAgent", { agent: ben, team: "blue", project: "/proj/b", model: "m2" });
  await hub.rename(ben, "benjamin");
  await hub.execute("recordPresence", { agent: ben, status: "offline", evidence: "silent", lastSeen: 1 });
  hub.clock.advance(25 * HOUR); // The old name is free again.
  await hub.ring();
  return { ann, ben };
}

async function readAll(hub: TestHub, agent: string): Promise<void> {
  const { messages } = await hub.read(agent);
  if (messages.length > 0) await hub.ack(agent, ...messages.map(({ message }) => message.id));
}

/** Cooldowns and budgets. */
async function limitMail(hub: TestHub, ann: string, ben: string): Promise<void> {
  for (let n = 0; n < 4; n++) await hub.send(ann, ben, `quick ${n}`);
  hub.clock.advance(MINUTE);
  await hub.ring();
  for (const action of ["pause", "resume", "reset"] as const)
    await hub.execute("decidePair", { by: HUMAN_ID, from: ann, to: ben, action });
  const [one, two] = [await hub.register("one"), await hub.register("two")];
  const pass = async (from: string, to: string, n: number) => {
    await hub.send(from, to, `round ${n}`);
    await readAll(hub, to);
    hub.clock.advance(MINUTE);
    await hub.ring();
  };
  const pair = [one, two] as const;
  const paused = () => hub.views.conversations.withState("paused", 10).map(({ id }) => id);
  for (let n = 0; paused().length === 0; n++) await pass(pair[n % 2] ?? one, pair[(n + 1) % 2] ?? two, n);
  const [conversation = ""] = paused();
  await hub.execute("decideConversation", { conversation, decision: "continue" });
  for (let n = 0; paused().length === 0; n++) await pass(pair[n % 2] ?? one, pair[(n + 1) % 2] ?? two, n);
  await hub.execute("decideConversation", { conversation, decision: "freeze" });
}

/** Requests and work claims. */
async function askForHelp(hub: TestHub, ann: string, ben: string): Promise<void> {
  const answered = await hub.ask(ann, "Review this", { timeoutMs: HOUR });
  await hub.execute("nudgeRequest", { agent: ann, request: answered });
  await hub.claim(ben, answered);
  await hub.answer(ben, answered, "Looks right");
  await hub.ask(ann, "Nobody has time", { timeoutMs: MINUTE });
  const dan = await hub.register("dan");
  const dropped = await hub.ask(ann, "Dropped", { timeoutMs: HOUR });
  await hub.claim(dan, dropped);
  await hub.work(dan, "claim", "the build");
  await hub.work(ben, "claim", "the docs", MINUTE);
  await hub.work(ann, "claim", "the tests");
  await hub.work(ann, "release", "the tests");
  const typed = [
    { kind: "status", status: "busy" },
    { kind: "coordination", action: "claim", task: "the build" },
    { kind: "pr-review", repo: "acme/site", branch: "fix", pr: 12 },
    { kind: "handoff", task: "the login" },
  ] as const;
  for (const said of typed)
    await hub.execute("sendMessage", {
      from: ann,
      to: { id: ben },
      type: said.kind,
      typed: said,
      content: "x",
    });
  await hub.execute("shareMemory", {
    by: ann,
    name: "notes/login.md",
    content: "It works",
    to: [hub.nameOf(ben)],
  });
  await hub.deregister(dan);
  hub.clock.advance(2 * MINUTE);
  await hub.ring();
}

/** One that is answered, one that is taken back. */
async function assignTasks(hub: TestHub, ben: string): Promise<void> {
  const tim = await hub.register("tim");
  const done = await hub.assign(tim, "Review it", { id: "t-1", timeoutMs: HOUR });
  await readAll(hub, tim);
  await hub.sendTo(tim, "user", "It is fine", { replyTo: done });
  const unwanted = await hub.assign(ben, "Never mind", { id: "t-2" });
  await hub.execute("cancelTask", { task: unwanted, by: HUMAN_ID });
}

/** Steps in every state: answered, asked for, approved, failed, run again, blocked, skipped, cancelled. */
async function runWorkflows(hub: TestHub, ben: string): Promise<void> {
  const by = HUMAN_ID;
  const create = (id: string, steps: Record<string, Partial<WorkflowStep>>) =>
    hub.execute("createWorkflow", {
      by,
      id,
      name: `the workflow ${id}`,
      steps: Object.entries(steps).map(([name, step]) => ({ name, dependsOn: [], on: "success", ...step })),
    });
  const work = { prompt: "Do it", agent: ben, agentName: "benjamin" };
  const taskOf = (workflow: string, step: string) => hub.views.workflows.step(workflow, step)?.task ?? "";
  await create("1", {
    plan: { ...work, onFailure: { retry: 1 } },
    gate: { approve: true, dependsOn: ["plan"] },
    build: { ...work, prompt: "Build {{plan.output}}", dependsOn: ["gate", "plan"], approve: true },
    mourn: { ...work, dependsOn: ["build"], on: "failure" },
  });
  await hub.execute("failTask", { task: taskOf("wf-1", "plan"), error: "it broke" });
  await readAll(hub, ben);
  await hub.sendTo(ben, "user", "a plan", { replyTo: taskOf("wf-1", "plan") });
  await hub.execute("decideStep", { workflow: "wf-1", step: "gate", by, approved: true, comment: "good" });
  await hub.execute("decideStep", { workflow: "wf-1", step: "build", by, approved: false });
  await hub.execute("retryStep", { workflow: "wf-1", step: "build", by });
  await hub.execute("cancelWorkflow", { workflow: "wf-1", by });
  await create("2", { ask: { approve: true }, next: { ...work, dependsOn: ["ask"] } }); // Open until the end.
}

/** One whose answer does not pass at first, and is checked by what the person allows for good. */
async function checkTasks(hub: TestHub): Promise<void> {
  const uma = await hub.register("uma", { project: "/proj/u" });
  const task = await hub.assign(uma, "Name it", {
    id: "t-checked",
    outputSchema: { type: "object" },
    attempts: 2,
  });
  const misfit = { name: "output_schema", passed: false, exit: 1, ms: 3, output: "there is no JSON in it" };
  await readAll(hub, uma);
  await hub.sendTo(uma, "user", "Eve", { replyTo: task });
  await hub.execute("recordCheck", { task, attempt: 1, nth: 0, check: misfit });
  await hub.execute("judgeTask", { task, attempt: 1 });
  await readAll(hub, uma);
  await hub.sendTo(uma, "user", "{}", { replyTo: `${task}.2` });
  await hub.execute("requestPermission", {
    agent: uma,
    turn: null,
    id: "p-check",
    tool: "npm",
    title: "run check unit: npm test in /proj/u",
    act: "check",
    details: { argv: ["npm", "test"], project: "/proj/u" },
    options: [{ id: "always", label: "Always", grants: "always" }],
    run: { task, check: "unit", argv: ["npm", "test"], project: "/proj/u" },
  });
  await hub.execute("answerPermission", { permission: "p-check", decision: "always", by: HUMAN_ID });
  await hub.execute("forgetCheck", { check: "unit", by: HUMAN_ID });
  const fits = { ...misfit, passed: true, exit: 0, output: "" };
  await hub.execute("recordCheck", { task, attempt: 2, nth: 0, check: fits });
  await hub.execute("judgeTask", { task, attempt: 2 });
}

async function hostAgents(hub: TestHub, ann: string): Promise<void> {
  const hosted = { project: "/proj/h", backend: "claude", permissions: "ask" } as const;
  const spawn = async (by: string, name: string, runtime: "acp" | "headless" | "tmux") =>
    (await hub.execute("spawnAgent", { by, name, runtime, ...hosted })).id;
  const hal = await spawn(HUMAN_ID, "hal", "acp");
  await hub.execute("issueCredential", { agent: hal, hash: "hash-of-hal" });
  await hub.execute("recordStarted", { agent: hal, session: "s-1", resumed: false });
  await hub.execute("recordSession", { agent: hal, session: "s-2" });
  const turn = async (n: number) => {
    await hub.send(ann, hal, `do ${n}`);
    const route = "runtime" as const;
    await hub.execute("offerTurn", { agent: hal, turn: `t-${n}`, route, continues: n === 2, noted: n === 2 });
    return { agent: hal, turn: `t-${n}` };
  };
  const first = await turn(1);
  await hub.execute("recordTaken", { ...first, evidence: "acp_prompt", pointer: false });
  await hub.execute("recordSeen", first);
  await askLeave(hub, hal, first.turn);
  await hub.execute("recordTurnEnded", {
    ...first,
    stop: "end_turn",
    text: "Done.",
    usage: { inputTokens: 5, outputTokens: 7, costUsd: 0.25 },
    work: { thoughts: "hm", tools: [{ title: "ls", status: "done" }], plan: [{ text: "a", status: "b" }] },
  });
  const second = await turn(2);
  await hub.execute("recordCrash", {
    ...second,
    taken: false,
    why: "it ended",
    exit: { code: 1, signal: null, stderr: "oh" },
    failures: 1,
    retryInMs: 1000,
  });
  await hub.execute("recordStopped", { agent: hal, reason: "idle" });
  const failing = await spawn(ann, "never", "headless");
  await hub.execute("recordSpawnFailed", { agent: failing, code: "SPAWN_FAILED", error: "not found" });
  const pane = await spawn(ann, "pane", "tmux");
  const typed = await hub.send(ann, pane, "typed in vain");
  await hub.execute("offerTurn", { agent: pane, turn: "t-9", route: "pane", continues: false, noted: false });
  await hub.execute("recordTurnEnded", { agent: pane, turn: "t-9", stop: "not_taken", text: "" });
  await hub.execute("recordKeptWaiting", {
    agent: pane,
    reason: "pane_not_ready",
    screen: "draft",
    waits: [{ seq: typed.seq, waitedMs: 30_000 }],
  });
  const mixed = { agent: pane, turn: "t-10" };
  await hub.execute("offerTurn", { ...mixed, route: "pane", continues: false, noted: false });
  await hub.execute("recordTaken", { ...mixed, evidence: "pane_took_it", pointer: false });
  await hub.execute("recordMixed", { ...mixed, words: "what was typed" });
  await hub.execute("recordTurnEnded", { ...mixed, stop: "end_turn", text: "" });
  const own = await hub.register("own");
  const adopted = { target: "%1", pid: 7, socket: "mine" };
  await hub.execute("adoptPane", {
    by: HUMAN_ID,
    agent: own,
    pane: adopted,
    backend: "codex",
    permissions: "ask",
  });
  await hub.execute("letGoPane", { agent: own, why: "its process ended (code 0)" });
  await hub.execute("shutdownAgent", { agent: pane, by: ann, reason: "enough" });
  await hub.execute("recordGone", { agent: pane, reason: "shutdown" });
  await hub.execute("killAgent", { agent: hal, by: HUMAN_ID });
}

async function askLeave(hub: TestHub, agent: string, turn: string): Promise<void> {
  const options = [
    { id: "y", label: "Yes", grants: "once" },
    { id: "n", label: "No", grants: "deny" },
  ] as const;
  const ask = (id: string) =>
    hub.execute("requestPermission", {
      agent,
      turn,
      id,
      tool: "shell",
      title: "Run rm -rf build",
      act: "execute",
      details: { command: "rm -rf build" },
      options,
    });
  for (const id of ["p-1", "p-2", "p-3"]) await ask(id);
  await hub.execute("answerPermission", { permission: "p-1", decision: "once", by: HUMAN_ID });
  await hub.execute("cancelPermissions", { agent });
  await ask("p-4");
  hub.clock.advance(11 * MINUTE);
  await hub.ring();
  await ask("p-5"); // Open until the end.
}

/** With mail unread, behind and held, so that every state is in the views. */
async function leave(hub: TestHub, ann: string, ben: string): Promise<void> {
  const guest = await hub.register("guest");
  await hub.send(ann, guest, "unread by one who leaves");
  await hub.deregister(guest);
  await hub.ask(ann, "Open until the end", { timeoutMs: HOUR });
  await hub.work(ben, "claim", "open until the end");
  await hub.rename(ann, "anna");
  await hub.send(ann, ben, "unread", { expiresInMs: HOUR });
  for (let n = 0; n < 3; n++) await hub.send(ann, ben, `held ${n}`);
}

/** One is removed, one is kept, one is in use and one is being made. */
async function useWorktrees(hub: TestHub, ann: string): Promise<void> {
  const size = { commits: 1, files: 2, insertions: 3, deletions: 4 };
  const plan = async (name: string) => {
    const path = `/proj/w/.huddle/worktrees/${name}`;
    const branch = `huddle/${name}`;
    const worktree = {
      name,
      agent: `a-${name}`,
      by: ann,
      project: "/proj/w",
      path,
      folder: path,
      branch,
      base: "c0",
    };
    await hub.execute("planWorktree", { worktree });
    return { name, agent: worktree.agent, result: { branch, path, ...size } };
  };
  const make = async (name: string) => {
    const planned = await plan(name);
    await hub.execute("recordWorktree", { name });
    return planned;
  };
  const removed = await make("removed");
  await hub.execute("endWorktree", { ...removed, result: { ...removed.result, kept: false }, forced: true });
  const kept = await make("kept");
  await hub.execute("endWorktree", { ...kept, result: { ...kept.result, kept: true } });
  await make("used");
  await plan("begun");
}

/** Pauses, and a budget that is used up. */
async function standStill(hub: TestHub, ann: string): Promise<void> {
  const where = { project: "/proj/h", backend: "claude", permissions: "ask", runtime: "acp" } as const;
  const { id: max } = await hub.execute("spawnAgent", { by: HUMAN_ID, name: "max", ...where });
  await hub.execute("assignTask", { by: HUMAN_ID, agent: "max", prompt: "stand still", id: "still" });
  const turn = { agent: max, turn: "t-still" };
  await hub.execute("offerTurn", { ...turn, route: "runtime", continues: false, noted: false });
  await hub.execute("pauseAgents", { by: HUMAN_ID, agent: max, now: true });
  const usage = { inputTokens: 1, outputTokens: 2, costUsd: 1e6 };
  await hub.execute("recordTurnEnded", { ...turn, stop: "cancelled", text: "", usage });
  await hub.execute("resumeAgents", { by: HUMAN_ID, agent: max });
  await hub.execute("decideBudget", { kind: "agent", key: max, decision: "continue" });
  await hub.execute("pauseAgents", { by: HUMAN_ID });
  await hub.register("paused-from-the-start");
  await hub.execute("resumeAgents", { by: HUMAN_ID });
  await hub.execute("pauseAgents", { by: HUMAN_ID, agent: ann }); // Until the end.
}
