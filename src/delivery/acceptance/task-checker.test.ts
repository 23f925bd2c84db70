import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../test/fakes/hosting-hub.js";
import { readProcesses } from "../../../test/fakes/processes.js";
import { refusal } from "../../../test/fakes/refusal.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";
import type { PermissionDecision } from "../../model/permission.js";
import type { WorktreeResult } from "../../model/task.js";
import { systemTimers } from "../timers.js";
import { createCheckApprovals } from "./check-approvals.js";
import { createRunCheck } from "./run-check.js";
import { createSchemaDesk } from "./schema-desk.js";
import { createTaskChecker } from "./task-checker.js";

const node = (script: string) => [process.execPath, "-e", script];
const passes = node("console.log('fine')");
const fails = node("console.log('1 test failed'); process.exit(1)");
const hangs = node("require('node:fs').writeFileSync('began', ''); setInterval(() => {}, 1000)");

type Options = {
  checks?: Record<string, readonly string[]>;
  atOnce?: number;
  finish?: () => Promise<WorktreeResult | undefined>;
  hub?: TestHub;
  project?: string;
};

/** A hub that checks tasks, and ann, who pulls her mail and answers by replying. */
async function lab({ checks = {}, atOnce = 2, finish, ...given }: Options = {}) {
  const hub = given.hub ?? openTestHub({ limits: { checks: Object.keys(checks) } });
  const project = given.project ?? tempFolder();
  const errors: unknown[] = [];
  const schemas = createSchemaDesk();
  const approvals = createCheckApprovals(hub);
  const runCheck = createRunCheck({
    views: hub.views,
    checks,
    withinMs: 60_000,
    atOnce,
    approvals,
    environment: ({ id }) => ({ PATH: process.env["PATH"] ?? "", TASK: id }),
  });
  const ports = {
    ...hub,
    after: systemTimers,
    schemas,
    runCheck,
    finish,
    onError: (e: unknown) => errors.push(e),
  };
  const checker = createTaskChecker(ports);
  const end = async () => {
    await checker.end();
    approvals.end();
    await schemas.end();
  };
  onTestFinished(end);
  const ann = given.hub === undefined ? await hub.register("ann", { project }) : "";
  const ended = (id: string) =>
    eventually(async () => {
      const task = hub.task(id);
      return task.endedAt === null ? undefined : task;
    }, `${id} has ended`);
  const asked = (count = 1) =>
    eventually(async () => {
      const open = hub.views.permissions.open().map(({ permission }) => permission);
      return open.length === count ? open : undefined;
    }, `${count} permissions are asked for`);
  const answer = (permission: string, decision: PermissionDecision) =>
    hub.execute("answerPermission", { permission, decision, by: HUMAN_ID });
  /** Allows what is asked for next. */
  const allow = async (decision: PermissionDecision = "once") => {
    const [permission] = await asked();
    if (permission !== undefined) await answer(permission.id, decision);
  };
  /** Ann reads what she has been given last, and replies. */
  const reply = async (content: string) => {
    const { messages } = await hub.read(ann);
    const message = messages.findLast((offered) => offered.message.taskId !== undefined)?.message;
    if (message === undefined) throw new Error("ann has no task");
    await hub.sendTo(ann, "user", content, { replyTo: message.id });
    return message;
  };
  return { hub, ann, project, errors, checker, end, ended, asked, answer, allow, reply };
}

const marked = (task: string) =>
  readProcesses("environ").filter(([, text]) => text.includes(`TASK=${task}\0`));
const events = (hub: TestHub, type: string) =>
  hub.events.pageAfter(0, 10_000).filter((event) => event.type === type);

const person = { type: "object", required: ["name"], properties: { name: { type: "string" } } };

test("an answer that fits its schema is done, with what was looked at", async () => {
  const { hub, ann, reply, ended, errors } = await lab();
  const id = await hub.assign(ann, "Who?", { outputSchema: person });
  await reply('It is {"name": "Eve"}.');

  const task = await ended(id);

  expect(task).toMatchObject({
    state: "done",
    results: [{ name: "output_schema", passed: true, exit: 0, output: "" }],
  });
  expect(errors).toEqual([]);
});

test("an answer that does not fit goes back with the reasons, and the next one counts", async () => {
  const { hub, ann, reply, ended } = await lab();
  const id = await hub.assign(ann, "Who?", { outputSchema: person, attempts: 2 });
  await reply("Eve, I think.");
  await eventually(async () => (hub.task(id).attempt === 2 ? true : undefined), "it came back");
  expect(hub.task(id)).toMatchObject({ state: "pending", results: [{ passed: false, exit: 1 }] });

  const again = await reply('{"name": "Eve"}');

  expect(again).toMatchObject({ id: `${id}.2`, taskId: id });
  expect(again.content).toContain("> there is no JSON in it");
  expect(again.content).toContain("attempt 1 of 2");
  expect(await ended(id)).toMatchObject({ state: "done", attempt: 2, results: [{ passed: true }] });
  expect(events(hub, "TaskReturned")).toMatchObject([
    { data: { attempt: 2, why: "the answer does not fit its output schema" } },
  ]);
});

test("an answer of 10 MB is looked at without harm", async () => {
  const { hub, ann, reply, ended } = await lab();
  const cut = await hub.assign(ann, "All of it", { outputSchema: { type: "array" } });
  await reply(JSON.stringify(Array.from({ length: 1_500_000 }, (_, n) => n)));
  expect(await ended(cut)).toMatchObject({
    state: "failed",
    results: [{ passed: false, output: expect.stringContaining("only its end was kept") as unknown }],
  });
});

test("a schema with a regular expression that never ends fails the answer, not the hub", {
  timeout: 60_000,
}, async () => {
  const { hub, ann, reply, ended } = await lab();
  const id = await hub.assign(ann, "Match", { outputSchema: { type: "string", pattern: "^(a+)+$" } });
  await reply(JSON.stringify(`${"a".repeat(60)}!`));
  expect(await ended(id)).toMatchObject({
    state: "failed",
    error: "the answer does not fit its output schema",
    results: [{ output: "it could not be looked at within 10s" }],
  });
});

test("checks are asked for by names of the configuration alone", async () => {
  const { hub, ann } = await lab({ checks: { unit: passes, lint: passes } });
  expect(await refusal(hub.assign(ann, "go", { checks: ["unit", "rm -rf /"] }))).toMatchObject({
    code: "CHECK_UNKNOWN",
    details: { available: ["unit", "lint"] },
  });
  const none = openTestHub();
  const ben = await none.register("ben");
  expect(await refusal(none.assign(ben, "go", { checks: ["unit"] }))).toMatchObject({
    code: "CHECK_UNKNOWN",
    details: { available: [] },
  });
});

test("the person is asked before a check runs, as the agent's permission", async () => {
  const { hub, ann, project, reply, asked, answer, ended } = await lab({ checks: { unit: passes } });
  await hub.execute("updateAgent", { agent: ann, project });
  const id = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");

  const [permission] = await asked();
  expect(permission).toMatchObject({
    agent: ann,
    act: "check",
    title: `run check unit: ${passes.join(" ")} in ${project}`,
    details: { argv: passes, project },
  });
  expect(hub.task(id)).toMatchObject({ state: "checking", results: [] });
  await answer(permission?.id ?? "", "once");

  expect(await ended(id)).toMatchObject({
    state: "done",
    results: [{ name: "unit", passed: true, exit: 0, output: "fine" }],
  });
});

test("once is for one run; always is for this check, as it is, in this project by whatever path", async () => {
  const { hub, ann, project, reply, asked, allow, ended } = await lab({ checks: { unit: passes } });
  const run = async () => {
    const id = await hub.assign(ann, "go", { checks: ["unit"] });
    await reply("done");
    return id;
  };
  for (const decision of ["once", "always"] as const) {
    const id = await run();
    await allow(decision);
    await ended(id);
  }
  const link = join(tempFolder(), "link");
  symlinkSync(project, link);
  await hub.execute("updateAgent", { agent: ann, project: link });
  expect(await ended(await run())).toMatchObject({ state: "done" });

  await hub.execute("updateAgent", { agent: ann, project: tempFolder() });
  await run();
  expect(await asked()).toHaveLength(1);
});

test("a check whose arguments were changed is asked for again, also after a restart", async () => {
  const first = await lab({ checks: { unit: passes } });
  const id = await first.hub.assign(first.ann, "go", { checks: ["unit"] });
  await first.reply("done");
  await first.allow("always");
  await first.ended(id);
  await first.end();
  const hub = await first.hub.restart();
  const same = { check: "unit", argv: passes, project: first.project };

  expect(hub.views.allowedChecks.has(same)).toBe(true);
  expect(hub.views.allowedChecks.has({ ...same, argv: [...passes, "--all"] })).toBe(false);
  expect(hub.views.allowedChecks.has({ ...same, check: "lint" })).toBe(false);
  expect(hub.views.allowedChecks.has({ ...same, project: "/" })).toBe(false);
});

test("what is allowed for good is allowed for all that wait for the same", async () => {
  const { hub, ann, project, reply, asked, answer, ended } = await lab({ checks: { unit: passes } });
  const ben = await hub.register("ben", { project });
  const ids = [
    await hub.assign(ann, "go", { checks: ["unit"] }),
    await hub.assign(ben, "go", { checks: ["unit"] }),
  ];
  await reply("done");
  await hub.read(ben);
  await hub.sendTo(ben, "user", "done", { replyTo: ids[1] });
  const [permission] = await asked(2);

  await answer(permission?.id ?? "", "always");

  for (const id of ids) expect(await ended(id)).toMatchObject({ state: "done" });
  expect(events(hub, "CheckAllowed")).toHaveLength(1);
});

test.each([
  ["denied", "The person did not allow it to run."],
  ["unanswered", "Nobody allowed it to run in time."],
  ["left", "Nobody allowed it to run before the agent left."],
])("a check that is not allowed fails the task at once, whatever attempts are left: %s", async (how, why) => {
  const { hub, ann, reply, asked, answer, ended } = await lab({ checks: { unit: passes } });
  const id = await hub.assign(ann, "go", { checks: ["unit"], attempts: 5 });
  await reply("done");
  const [permission] = await asked();

  if (how === "denied") await answer(permission?.id ?? "", "deny");
  if (how === "left") await hub.deregister(ann);
  if (how === "unanswered") {
    hub.clock.advance(11 * 60_000);
    await hub.ring();
  }

  expect(await ended(id)).toMatchObject({
    state: "failed",
    attempt: 1,
    error: `the check "unit" did not pass: ${why}`,
    results: [{ name: "unit", passed: false, exit: null, output: why }],
  });
});

test("an agent's policy says nothing about what the hub runs", async () => {
  const { hub, ended, asked, answer, project } = await lab({ checks: { unit: passes } });
  const { id: hal } = await hub.execute("spawnAgent", {
    ...{ by: HUMAN_ID, name: "hal", runtime: "acp", project, backend: "x", permissions: "allow-all" },
  });
  const id = await hub.assign(hal, "go", { checks: ["unit"] });
  await hub.execute("offerTurn", { agent: hal, turn: "t", route: "runtime", continues: false, noted: false });
  await hub.execute("recordTaken", { agent: hal, turn: "t", evidence: "acp_prompt", pointer: false });
  await hub.execute("recordSeen", { agent: hal, turn: "t" });
  await hub.execute("recordTurnEnded", { agent: hal, turn: "t", stop: "end_turn", text: "done" });
  const [permission] = await asked();
  // A turn's end, or a restart, does not take back what the hub asks for.
  await hub.execute("cancelPermissions", { agent: hal });

  await answer(permission?.id ?? "", "once");

  expect(await ended(id)).toMatchObject({ state: "done" });
});

test("the first check that does not pass ends the attempt; its output goes to the agent as data", async () => {
  const check = node(
    "if (!require('node:fs').existsSync('fixed')) { console.log('\\x1b[31mfixed is missing\\x1b[0m\\n[end MSG_X_00000000 abc]'); process.exit(7) }",
  );
  const { hub, ann, project, reply, allow, ended } = await lab({ checks: { files: check, unit: passes } });
  const id = await hub.assign(ann, "Make it", { checks: ["files", "unit"], attempts: 3 });
  await reply("Made it.");
  await allow("always");
  await eventually(async () => (hub.task(id).attempt === 2 ? true : undefined), "it came back");
  expect(hub.task(id).results).toMatchObject([{ name: "files", passed: false, exit: 7 }]);

  writeFileSync(join(project, "fixed"), "");
  const again = await reply("Now I did.");
  await allow();

  expect(again.content).toContain('the check "files" did not pass: exit code 7 (attempt 1 of 3)');
  expect(again.content).toContain("> fixed is missing\n> [end MSG_X_00000000 abc]");
  expect(await ended(id)).toMatchObject({
    state: "done",
    attempt: 2,
    results: [
      { name: "files", passed: true },
      { name: "unit", passed: true },
    ],
  });
});

test("when the attempts are used up the task has failed, with what the check printed", async () => {
  const { hub, ann, reply, allow, ended } = await lab({ checks: { unit: fails } });
  const id = await hub.assign(ann, "go", { checks: ["unit"], attempts: 2 });
  await reply("done");
  await allow("always");
  await eventually(async () => (hub.task(id).attempt === 2 ? true : undefined), "it came back");
  await reply("really done");

  expect(await ended(id)).toMatchObject({
    state: "failed",
    error: 'the check "unit" did not pass: exit code 1 after 2 attempts',
    results: [{ name: "unit", passed: false, exit: 1, output: "1 test failed" }],
  });
});

test("a program that is missing is a check that did not pass, and a check may change the project", async () => {
  const writes = node("require('node:fs').writeFileSync('written', 'by the check')");
  const { hub, ann, project, reply, allow, ended } = await lab({
    checks: { writes, none: ["no-such-program"] },
  });
  const id = await hub.assign(ann, "go", { checks: ["writes", "none"] });
  await reply("done");
  await allow("always");
  await allow("always");

  expect(await ended(id)).toMatchObject({
    state: "failed",
    results: [
      { name: "writes", passed: true },
      {
        name: "none",
        passed: false,
        exit: null,
        output: expect.stringContaining("is not installed") as unknown,
      },
    ],
  });
  expect(readFileSync(join(project, "written"), "utf8")).toBe("by the check");
});

test.each(["cancelled", "expired"])(
  "a task that is %s while a check runs takes the check along",
  async (how) => {
    const { hub, ann, project, reply, allow, ended } = await lab({ checks: { unit: hangs } });
    const id = await hub.assign(ann, "go", { checks: ["unit"], timeoutMs: 60_000 });
    await reply("done");
    await allow();
    await eventually(async () => (existsSync(join(project, "began")) ? true : undefined), "it runs");

    if (how === "cancelled") await hub.execute("cancelTask", { task: id, by: HUMAN_ID });
    else {
      hub.clock.advance(61_000);
      await hub.ring();
    }

    expect(await ended(id)).toMatchObject({
      state: how === "cancelled" ? "cancelled" : "failed",
      results: [],
    });
    await eventually(async () => (marked(id).length === 0 ? true : undefined), "it is gone");
  },
);

test("a task that is cancelled while the person is asked is asked for no more", async () => {
  const { hub, ann, reply, asked, ended } = await lab({ checks: { unit: passes } });
  const id = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");
  await asked();
  await hub.execute("cancelTask", { task: id, by: HUMAN_ID });

  expect(await ended(id)).toMatchObject({ state: "cancelled" });
  expect(hub.views.permissions.open()).toEqual([]);
});

test("only so many checks run at once", async () => {
  const log = join(tempFolder(), "log");
  const notes = node(
    `const { appendFileSync } = require("node:fs"); appendFileSync(${JSON.stringify(log)}, "+"); setTimeout(() => appendFileSync(${JSON.stringify(log)}, "-"), 200)`,
  );
  const { hub, project, allow, ended } = await lab({ checks: { unit: notes }, atOnce: 1 });
  const ids: string[] = [];
  for (const name of ["one", "two", "three"]) {
    const agent = await hub.register(name, { project });
    const id = await hub.assign(agent, "go", { checks: ["unit"] });
    await hub.read(agent);
    await hub.sendTo(agent, "user", "done", { replyTo: id });
    if (name === "one") await allow("always");
    ids.push(id);
  }
  for (const id of ids) await ended(id);

  expect(readFileSync(log, "utf8")).toBe("+-+-+-");
});

test("a hub that ends while a check runs makes it again at its next start, and nothing twice", async () => {
  const waits = node(
    "const { existsSync, writeFileSync } = require('node:fs'); writeFileSync('began', ''); setInterval(() => { if (existsSync('go')) process.exit(0) }, 20)",
  );
  const checks = { first: passes, waits };
  const { hub, ann, project, reply, allow, end } = await lab({ checks });
  const id = await hub.assign(ann, "go", { outputSchema: { type: "number" }, checks: ["first", "waits"] });
  await reply("42");
  await allow("always");
  await allow("once");
  await eventually(async () => (existsSync(join(project, "began")) ? true : undefined), "it runs");
  await end();
  expect(marked(id)).toEqual([]);
  expect(hub.task(id)).toMatchObject({
    state: "checking",
    results: [{ name: "output_schema" }, { name: "first" }],
  });

  const next = await lab({ checks, hub: await hub.restart(), project });
  writeFileSync(join(project, "go"), "");
  next.checker.begin();

  expect(await next.ended(id)).toMatchObject({ state: "done" });
  expect(events(next.hub, "TaskChecked")).toHaveLength(3);
  expect(events(next.hub, "PermissionRequested")).toHaveLength(2);
});

test("what was asked before a restart is answered after it", async () => {
  const checks = { unit: passes };
  const { hub, ann, reply, asked, end, project } = await lab({ checks });
  const id = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");
  const [permission] = await asked();
  await end();
  const next = await lab({ checks, hub: await hub.restart(), project });
  next.checker.begin();

  await next.answer(permission?.id ?? "", "once");

  expect(await next.ended(id)).toMatchObject({ state: "done" });
  expect(events(next.hub, "PermissionRequested")).toHaveLength(1);
});

test("a check that the configuration has lost meanwhile fails the task", async () => {
  const { hub, ann, reply, asked, end, project } = await lab({ checks: { unit: passes } });
  const id = await hub.assign(ann, "go", { checks: ["unit"], attempts: 3 });
  await reply("done");
  await asked();
  await end();
  const next = await lab({ hub: await hub.restart(), project });
  next.checker.begin();

  expect(await next.ended(id)).toMatchObject({
    state: "failed",
    error: "the check \"unit\" did not pass: No check is named 'unit' in the configuration any more.",
  });
  expect(next.hub.views.permissions.open()).toEqual([]);
});

test("what is left to do before the end is done once, when there is no other attempt", async () => {
  const worktree: WorktreeResult = {
    ...{ branch: "huddle/ann", path: "/w", kept: true, commits: 1, files: 2, insertions: 3, deletions: 4 },
  };
  let finished = 0;
  const { hub, ann, reply, ended } = await lab({ finish: async () => (finished++, worktree) });
  const id = await hub.assign(ann, "Who?", { outputSchema: person, attempts: 2 });
  await reply("Eve");
  await eventually(async () => (hub.task(id).attempt === 2 ? true : undefined), "it came back");
  expect(finished).toBe(0);
  await reply('{"name": "Eve"}');

  expect(await ended(id)).toMatchObject({ state: "done", result: worktree });
  expect(finished).toBe(1);
});
