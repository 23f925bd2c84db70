import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { readProcesses } from "../fakes/processes.js";

/* Acceptance (PROTOCOL 22.3), with a whole hub: what an agent answers counts when it passes, and not when it says so. */

const yard = createHubYard();
let hub: HubProcess;
beforeAll(async () => {
  hub = await start();
});
afterAll(() => yard.clear());

type Task = {
  task_id: string;
  status: string;
  attempt: number;
  output: string | null;
  error: string | null;
  checks: { name: string; passed: boolean; exit: number | null; output: string }[];
};

const node = (script: string) => [process.execPath, "-e", script];

/** Tells the scripted agent, in what it prints, what would make it pass. */
const strict = node(
  "if (!require('node:fs').existsSync('fixed')) { console.log('fixed is missing: !put fixed yes !say Now it is there'); process.exit(1) }",
);
const waits = node(
  "const fs = require('node:fs'); require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref(); fs.appendFileSync('runs', 'x'); setInterval(() => { if (fs.existsSync('go')) process.exit(0) }, 20)",
);
const never = node("console.log('1 of 3 tests failed'); process.exit(1)");

async function start(home = yard.home()): Promise<HubProcess> {
  const checks = JSON.stringify({ strict, waits, never });
  return startHostingHub(yard, { home, set: [`checks=${checks}`] });
}

function assign(at: HubProcess, project: string, body: Record<string, unknown>) {
  return at.http.call("POST", "/api/tasks", {
    token: at.operator,
    body: { backend: "scripted", project, prompt: "!say done", ...body },
  });
}

async function read(at: HubProcess, id: string): Promise<Task> {
  const { json } = await at.http.call("GET", `/api/tasks/${id}`, { token: at.operator });
  return json as unknown as Task;
}

const reach = (at: HubProcess, id: string, status: string) =>
  eventually(async () => {
    const task = await read(at, id);
    return task.status === status ? task : undefined;
  }, `${id} is ${status}`);

async function answer(at: HubProcess, decision: string) {
  const [id] = await eventually(async () => {
    const { json } = await at.http.call("GET", "/api/permissions", { token: at.operator });
    const open = json["permissions"] as { id: string }[];
    return open.length > 0 ? open.map((permission) => permission.id) : undefined;
  }, "a permission is asked for");
  return at.http.call("POST", `/api/permissions/${id}`, { token: at.operator, body: { decision } });
}

test("a failing answer becomes a passing one: the check's output goes back to the agent", async () => {
  const project = yard.home();
  const { json } = await assign(hub, project, { checks: ["strict"], attempts: 3 });
  const id = String(json["task_id"]);

  await reach(hub, id, "waiting");
  const needs = await hub.http.call("GET", "/api/needs-you", { token: hub.operator });
  expect(needs.json["items"]).toMatchObject([
    { kind: "permission", text: expect.stringContaining("scripted's task wants to run: ") as unknown },
  ]);
  expect((await answer(hub, "always")).json).toMatchObject({
    outcome: "always",
    check: { name: "strict", argv: strict, project },
  });

  expect(await reach(hub, id, "done")).toMatchObject({
    attempt: 2,
    output: "Now it is there",
    checks: [{ name: "strict", passed: true, exit: 0 }],
  });
  expect(existsSync(join(project, "fixed"))).toBe(true);
});

test("when no attempt is left the result has what the check printed", async () => {
  const { json } = await assign(hub, yard.home(), { checks: ["never"] });
  const id = String(json["task_id"]);
  await answer(hub, "once");

  expect(await reach(hub, id, "failed")).toMatchObject({
    error: 'the check "never" did not pass: exit code 1',
    checks: [{ name: "never", passed: false, exit: 1, output: "1 of 3 tests failed" }],
  });
});

test("an output schema is looked at in a built hub, and refused where it is none", async () => {
  const project = yard.home();
  const output_schema = { type: "object", required: ["n"], properties: { n: { type: "number" } } };
  const good = await assign(hub, project, { output_schema, prompt: '!say So: {"n": 1}' });
  const bad = await assign(hub, project, { output_schema, prompt: '!say So: {"n": "one"}' });

  expect(await reach(hub, String(good.json["task_id"]), "done")).toMatchObject({
    checks: [{ name: "output_schema", passed: true }],
  });
  expect(await reach(hub, String(bad.json["task_id"]), "failed")).toMatchObject({
    checks: [{ name: "output_schema", passed: false, exit: 1, output: "/n: must be number" }],
  });

  const refused = await assign(hub, project, { output_schema: { properties: { n: { type: "numbr" } } } });
  expect(refused).toMatchObject({
    status: 400,
    json: { code: "INVALID_INPUT", issues: [{ field: "output_schema/properties/n/type" }] },
  });
  const unknown = await assign(hub, project, { checks: ["unit"] });
  expect(unknown).toMatchObject({
    status: 400,
    json: { code: "CHECK_UNKNOWN", available: ["strict", "waits", "never"] },
  });
});

test("kill -9 while a check runs leaves no process, and the next hub runs it again", async () => {
  const home = yard.home();
  const project = yard.home();
  let own = await start(home);
  const { json } = await assign(own, project, { checks: ["waits"], keep: true });
  const id = String(json["task_id"]);
  await answer(own, "once");
  await eventually(async () => (existsSync(join(project, "runs")) ? true : undefined), "the check runs");
  const left = () => readProcesses("environ").filter(([, text]) => text.includes(`:${id}\0`));
  await eventually(async () => (left().length >= 2 ? true : undefined), "it and what it started");

  await own.kill();
  await eventually(async () => (left().length === 0 ? true : undefined), "nothing of the check is left");
  writeFileSync(join(project, "go"), "");
  own = await start(home);

  expect(await reach(own, id, "done")).toMatchObject({ checks: [{ name: "waits", passed: true, exit: 0 }] });
  await eventually(async () => (left().length === 0 ? true : undefined), "nothing of it is left");
});
