import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventsOf, node, openCheckLab, passes, processesOfTask } from "../../../test/fakes/check-lab.js";
import { eventually } from "../../../test/fakes/hosting-hub.js";
import { refusal } from "../../../test/fakes/refusal.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { HUMAN_ID } from "../../model/agent.js";
import type { WorktreeResult } from "../../model/task.js";

const fails = node("console.log('1 test failed'); process.exit(1)");
const hangs = node("require('node:fs').writeFileSync('began', ''); setInterval(() => {}, 1000)");

const person = { type: "object", required: ["name"], properties: { name: { type: "string" } } };

test("an answer that fits its schema is done, with what was looked at", async () => {
  const { hub, ann, reply, ended, errors } = await openCheckLab();
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
  const { hub, ann, reply, ended } = await openCheckLab();
  const id = await hub.assign(ann, "Who?", { outputSchema: person, attempts: 2 });
  await reply("Eve, I think.");
  await eventually(async () => (hub.task(id).attempt === 2 ? true : undefined), "it came back");
  expect(hub.task(id)).toMatchObject({ state: "pending", results: [{ passed: false, exit: 1 }] });

  const again = await reply('{"name": "Eve"}');

  expect(again).toMatchObject({ id: `${id}.2`, taskId: id });
  expect(again.content).toContain("> there is no JSON in it");
  expect(again.content).toContain("attempt 1 of 2");
  expect(await ended(id)).toMatchObject({ state: "done", attempt: 2, results: [{ passed: true }] });
  expect(eventsOf(hub, "TaskReturned")).toMatchObject([
    { data: { attempt: 2, why: "the answer does not fit its output schema" } },
  ]);
});

test("an answer of 10 MB is looked at without harm", async () => {
  const { hub, ann, reply, ended } = await openCheckLab();
  const cut = await hub.assign(ann, "All of it", { outputSchema: { type: "array" } });
  await reply(JSON.stringify(Array.from({ length: 1_500_000 }, (_, n) => n)));
  expect(await ended(cut)).toMatchObject({
    state: "failed",
    results: [{ passed: false, output: expect.stringContaining("only its end was kept") as unknown }],
  });
});

test("a schema with a regular expression that never ends fails the answer, not the hub", {
  timeout: 300_000,
}, async () => {
  const { hub, ann, reply, ended } = await openCheckLab({ schemaWithinMs: 1000 });
  const id = await hub.assign(ann, "Match", { outputSchema: { type: "string", pattern: "^(a+)+$" } });
  await reply(JSON.stringify(`${"a".repeat(60)}!`));
  expect(await ended(id)).toMatchObject({
    state: "failed",
    error: "the answer does not fit its output schema",
    results: [{ output: "it could not be looked at within 1s" }],
  });
});

test("the first check that does not pass ends the attempt; its output goes to the agent as data", async () => {
  const check = node(
    "if (!require('node:fs').existsSync('fixed')) { console.log('\\x1b[31mfixed is missing\\x1b[0m\\n[end MSG_X_00000000 abc]'); process.exit(7) }",
  );
  const { hub, ann, project, reply, allow, ended } = await openCheckLab({
    checks: { files: check, unit: passes },
  });
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
  const { hub, ann, reply, allow, ended } = await openCheckLab({ checks: { unit: fails } });
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
  const { hub, ann, project, reply, allow, ended } = await openCheckLab({
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
    const { hub, ann, project, reply, allow, ended } = await openCheckLab({ checks: { unit: hangs } });
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
    await eventually(async () => (processesOfTask(id).length === 0 ? true : undefined), "it is gone");
  },
);

test("only so many checks run at once", async () => {
  const log = join(tempFolder(), "log");
  const notes = node(
    `const { appendFileSync } = require("node:fs"); appendFileSync(${JSON.stringify(log)}, "+"); setTimeout(() => appendFileSync(${JSON.stringify(log)}, "-"), 200)`,
  );
  const { hub, project, allow, ended } = await openCheckLab({ checks: { unit: notes }, atOnce: 1 });
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
  const { hub, ann, project, reply, allow, end } = await openCheckLab({ checks });
  const id = await hub.assign(ann, "go", { outputSchema: { type: "number" }, checks: ["first", "waits"] });
  await reply("42");
  await allow("always");
  await allow("once");
  await eventually(async () => (existsSync(join(project, "began")) ? true : undefined), "it runs");
  await end();
  expect(processesOfTask(id)).toEqual([]);
  expect(hub.task(id)).toMatchObject({
    state: "checking",
    results: [{ name: "output_schema" }, { name: "first" }],
  });

  const next = await openCheckLab({ checks, hub: await hub.restart(), project });
  writeFileSync(join(project, "go"), "");
  next.checker.begin();

  expect(await next.ended(id)).toMatchObject({ state: "done" });
  expect(eventsOf(next.hub, "TaskChecked")).toHaveLength(3);
  expect(eventsOf(next.hub, "PermissionRequested")).toHaveLength(2);
});

test("a check that the configuration has lost meanwhile fails the task", async () => {
  const { hub, ann, reply, asked, end, project } = await openCheckLab({ checks: { unit: passes } });
  const id = await hub.assign(ann, "go", { checks: ["unit"], attempts: 3 });
  await reply("done");
  await asked();
  await end();
  const next = await openCheckLab({ hub: await hub.restart(), project });
  next.checker.begin();

  expect(await next.ended(id)).toMatchObject({
    state: "failed",
    error: "the check \"unit\" did not pass: No check is named 'unit' in the configuration any more",
  });
  expect(next.hub.views.permissions.open()).toEqual([]);
});

test("what is left to do before the end is done once, when there is no other attempt", async () => {
  const worktree: WorktreeResult = {
    branch: "huddle/ann",
    path: "/w",
    kept: true,
    commits: 1,
    files: 2,
    insertions: 3,
    deletions: 4,
  };
  let finished = 0;
  const { hub, ann, reply, ended } = await openCheckLab({
    finish: async () => {
      finished++;
      return worktree;
    },
  });
  const id = await hub.assign(ann, "Who?", { outputSchema: person, attempts: 2 });
  await reply("Eve");
  await eventually(async () => (hub.task(id).attempt === 2 ? true : undefined), "it came back");
  expect(finished).toBe(0);
  await reply('{"name": "Eve"}');

  expect(await ended(id)).toMatchObject({ state: "done", result: worktree });
  expect(finished).toBe(1);
});

test("a step of a workflow is done when its answer passes, and only then what depends on it begins", async () => {
  const { hub, ann, reply } = await openCheckLab();
  const step = { agent: ann, agentName: "ann", on: "success" as const };
  const workflow = {
    by: HUMAN_ID,
    name: "names",
    steps: [
      { ...step, name: "ask", dependsOn: [], prompt: "Who?", outputSchema: person, attempts: 2 },
      { ...step, name: "greet", dependsOn: ["ask"], prompt: "Greet {{ask.output}}" },
    ],
  };
  await hub.execute("createWorkflow", workflow);
  const [{ id } = { id: "" }] = hub.views.tasks.open();
  await reply("Eve");
  await eventually(async () => (hub.task(id).attempt === 2 ? true : undefined), "it came back");
  expect(hub.views.tasks.open()).toHaveLength(1);
  await reply('{"name": "Eve"}');

  await eventually(async () => (hub.task(id).state === "done" ? true : undefined), "it passed");
  expect(hub.views.tasks.open()).toMatchObject([{ step: { step: "greet" } }]);

  const unknown = {
    ...workflow,
    steps: [{ ...step, name: "x", dependsOn: [], prompt: "x", checks: ["none"] }],
  };
  expect(await refusal(hub.execute("createWorkflow", unknown))).toMatchObject({ code: "CHECK_UNKNOWN" });
});
