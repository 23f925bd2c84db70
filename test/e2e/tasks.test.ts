// Tasks, over HTTP and with real processes: assigned, answered, cancelled, cut with the hub.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, processesOf, spawnAgent, startHostingHub, stateOf } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { memberAt, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
/** Shared by those that leave it running: each has agents of its own. */
let hub: HubProcess;
beforeAll(async () => {
  hub = await startHostingHub(yard);
});
afterAll(() => yard.clear());

type TaskView = {
  task_id: string;
  agent: string;
  status: string;
  output: string | null;
  error: string | null;
};

const asPerson = (hub: HubProcess, method: string, path: string, body?: unknown) =>
  hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });

async function assign(hub: HubProcess, body: Record<string, unknown>): Promise<string> {
  const answer = await asPerson(hub, "POST", "/api/tasks", body);
  if (answer.status !== 201) throw new Error(`not assigned: ${answer.status} ${answer.text}`);
  return String(answer.json["task_id"]);
}

const show = async (hub: HubProcess, id: string, wait = 0) =>
  (await asPerson(hub, "GET", `/api/tasks/${id}?wait=${wait}`)).json as TaskView;

const reaches = (hub: HubProcess, id: string, status: string) =>
  eventually(async () => {
    const task = await show(hub, id);
    return task.status === status ? task : undefined;
  }, `${id} is ${status}`);

test("what cannot be assigned says why, and nothing is stored", async () => {
  const project = yard.home();
  const ann = await registerAgent(hub.http, hub.operator, { name: "amy" });
  const refused = async (body: Record<string, unknown>) => {
    const { status, json } = await asPerson(hub, "POST", "/api/tasks", body);
    return [status, json["code"]];
  };

  expect(await refused({ prompt: "x" })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "amy", backend: "scripted", prompt: "x" })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "amy" })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "amy", prompt: "" })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "amy", prompt: "x", attempts: 0 })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "amy", prompt: "x", timeout_seconds: -1 })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "amy", prompt: "x", model: "big" })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "amy", prompt: "x", worktree: true })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ agent: "nobody", prompt: "x" })).toEqual([404, "AGENT_NOT_FOUND"]);
  expect(await refused({ agent: "user", prompt: "x" })).toEqual([400, "SELF_SEND"]);
  expect(await refused({ backend: "none", project, prompt: "x" })).toEqual([400, "BACKEND_UNKNOWN"]);
  expect(await refused({ backend: "scripted", prompt: "x" })).toEqual([400, "INVALID_INPUT"]);
  expect(await refused({ backend: "scripted", project: "/nowhere", prompt: "x" })).toEqual([
    400,
    "INVALID_INPUT",
  ]);
  expect((await ann.call("POST", "/api/tasks", { body: { agent: "amy", prompt: "x" } })).status).toBe(403);
  expect((await asPerson(hub, "GET", "/api/tasks/task-none")).status).toBe(404);
  expect((await asPerson(hub, "POST", "/api/tasks/task-none/cancel")).status).toBe(404);
  expect((await asPerson(hub, "GET", "/api/tasks")).json).toEqual({ tasks: [], next: null });
});

test("a task to an agent, and one to a backend, whose agent is gone when the result is read", async () => {
  const project = yard.home();
  await spawnAgent(hub, { name: "ann", project });

  const first = await show(hub, await assign(hub, { agent: "ann", prompt: "!say hello" }), 120);
  const id = await assign(hub, { backend: "scripted", name: "tess", project, prompt: "!say bye" });
  const second = await show(hub, id, 120);

  expect(first).toMatchObject({ agent: "ann", status: "done", output: "hello", error: null });
  expect(second).toMatchObject({ agent: "tess", status: "done", output: "bye" });
  await eventually(async () => {
    const { status } = await asPerson(hub, "GET", "/api/agents/tess");
    return status === 410 ? true : undefined;
  }, "tess is gone");
  expect(await show(hub, id)).toMatchObject({ agent: "tess", status: "done", output: "bye" });
  const { json } = await asPerson(hub, "GET", "/api/tasks?limit=1");
  expect(json).toMatchObject({ tasks: [{ task_id: id }], next: id });
  const rest = await asPerson(hub, "GET", `/api/tasks?cursor=${id}`);
  expect(rest.json).toMatchObject({ tasks: [{ output: "hello" }], next: null });
});

test("an agent that nobody is named, and that is a backend, is started", async () => {
  const id = await assign(hub, { agent: "scripted", project: yard.home(), prompt: "!say up" });

  expect(await show(hub, id, 120)).toMatchObject({ agent: "scripted", status: "done", output: "up" });
});

test("an agent over HTTP answers with reply_to, and a wait for the result ends with it", async () => {
  const boss = await registerAgent(hub.http, hub.operator, { name: "boss", role: "orchestrator" });
  const ann = await registerAgent(hub.http, hub.operator, { name: "abe" });
  const { json } = await boss.call("POST", "/api/tasks", { body: { agent: "abe", prompt: "How many?" } });
  const id = String(json["task_id"]);
  const waiting = boss.call("GET", `/api/tasks/${id}?wait=120`);

  const [asked] = await ann.inbox("?wait=120");
  await ann.send("boss", "Seven", { reply_to: asked?.id });

  expect(asked).toMatchObject({ id, from: "boss", content: "How many?" });
  expect((await waiting).json).toMatchObject({ status: "done", output: "Seven" });
  // Who has asked for the result has read what tells of it.
  expect((await boss.inbox()).map(({ content }) => content)).toEqual(["Seven"]);
});

test("a cancelled task leaves no process of the agent that was started for it", async () => {
  const body = { backend: "scripted", name: "tina", project: yard.home(), prompt: "!hang" };
  const id = await assign(hub, body);
  await reaches(hub, id, "running");
  const agent = (await asPerson(hub, "GET", "/api/agents/tina")).json["id"];

  const cancelled = await asPerson(hub, "POST", `/api/tasks/${id}/cancel`);

  expect(cancelled.json).toMatchObject({ status: "cancelled", error: "cancelled by user" });
  await eventually(
    async () => (processesOf(String(agent)).length === 0 ? true : undefined),
    "its processes are gone",
  );
});

test("a task that was cut with the hub goes on in the next, one that waited is begun there, and a member finds its own", async () => {
  const home = yard.home();
  const gate = `${home}/go`;
  const hub = await startHostingHub(yard, { home });
  await spawnAgent(hub, { name: "ann", project: home });
  const running = await assign(hub, { agent: "ann", prompt: `!gate ${gate} !say went on` });
  const hanging = await assign(hub, { backend: "scripted", name: "tess", project: home, prompt: "!hang" });
  const waiting = await assign(hub, { agent: "ann", prompt: "!say second" });
  const mia = await registerAgent(hub.http, hub.operator, { name: "mia" });
  const hers = await assign(hub, { agent: "mia", prompt: "How many?" });
  await mia.inbox();
  await reaches(hub, hanging, "running");
  await reaches(hub, running, "running");
  await hub.kill();
  writeFileSync(gate, "");

  const next = await startHostingHub(yard, { home });

  const finished = await show(next, running, 120);
  expect(finished).toMatchObject({ status: "done", output: expect.stringContaining("went on") as unknown });
  // It was told to go on with it, and may have done some of it twice.
  expect(finished).toMatchObject({ repeated: true });
  expect(await show(next, waiting, 120)).toMatchObject({ status: "done", output: "second" });
  expect(await show(next, hanging)).toMatchObject({ error: null });
  await asPerson(next, "POST", `/api/tasks/${hanging}/cancel`);
  expect(await stateOf(next, "ann")).not.toBe("dead");
  await memberAt(next.http, mia).send("user", "Eight", { reply_to: hers });
  expect(await show(next, hers)).toMatchObject({ status: "done", output: "Eight" });
});
