import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

const get = async (hub: HubProcess, path: string, token = hub.operator) =>
  (await hub.http.call("GET", path, { token })).json;
const post = async (hub: HubProcess, path: string, body: object = {}, token = hub.operator) =>
  hub.http.call("POST", path, { token, body });

const run = (hub: HubProcess, argv: readonly string[]) =>
  cli([...argv, "--timeout", "5m"], { env: { HUDDLE_HOME: hub.home } });

type Mail = { id: string; from: string; content: string };

/** Reads once, acknowledges what came, and gives it. */
async function readAll(hub: HubProcess, { token }: Member, wait = 0): Promise<Mail[]> {
  const { messages } = (await get(hub, `/api/inbox?wait=${wait}`, token)) as { messages: Mail[] };
  if (messages.length > 0) await post(hub, "/api/inbox/ack", { ids: messages.map(({ id }) => id) }, token);
  return messages;
}

test("all stands still while ten agents write to each other, over a kill, and all comes in its order after", async () => {
  const hub = await yard.start({});
  const agents: Member[] = [];
  for (let n = 0; n < 10; n++) agents.push(await registerAgent(hub.http, hub.join, { name: `a${n}` }));
  const sent = new Map<string, string[]>();
  const got = new Map<string, string[]>();
  let number = 0;
  async function write(count: number) {
    for (let n = 0; n < count; n++) {
      const [from, to] = [agents[n % 10], agents[(n * 3 + 1) % 10]];
      if (from === undefined || to === undefined || from === to) continue;
      const words = `${++number}`;
      const answer = await from.send(to.name, words);
      expect(answer.status).toBeLessThan(300);
      const pair = `${from.name} ${to.name}`;
      sent.set(pair, [...(sent.get(pair) ?? []), words]);
    }
  }
  async function readRound(at: HubProcess) {
    let count = 0;
    for (const agent of agents) {
      for (const { from, content } of await readAll(at, agent)) {
        const pair = `${from} ${agent.name}`;
        got.set(pair, [...(got.get(pair) ?? []), content]);
        count++;
      }
    }
    return count;
  }
  await write(40);
  await readRound(hub);
  await write(20);

  expect(await run(hub, ["pause", "--all"])).toMatchObject({ code: 0 });
  const late = await registerAgent(hub.http, hub.join, { name: "late" });
  const [first, second] = agents;
  const held = await first?.send(second?.name ?? "", `${++number}`);
  expect(held?.json).toMatchObject({ state: "held", reason: '"a1" is paused' });
  sent.set("a0 a1", [...(sent.get("a0 a1") ?? []), `${number}`]);
  await post(hub, "/api/agents/late/messages", { message: "hello" });
  await write(20);
  expect(await readRound(hub)).toBe(0);
  expect(await readAll(hub, late, 0.2)).toEqual([]);

  await hub.kill();
  const again = await yard.start({ home: hub.home });
  expect(await readRound(again)).toBe(0);
  expect(await get(again, "/api/agents/a1")).toMatchObject({
    paused: true,
    evidence: expect.stringContaining("paused") as unknown,
  });
  const waiting = readAll(again, late, 120);

  expect(await run(again, ["resume", "--all"])).toMatchObject({ code: 0 });
  expect((await waiting).map(({ content }) => content)).toEqual(["hello"]);
  while ((await readRound(again)) > 0) {
    // Until nothing is left.
  }
  expect(Object.fromEntries(got)).toEqual(Object.fromEntries(sent));
  expect(await get(again, "/api/health")).toMatchObject({ unread: 0 });
  expect((await get(again, "/api/agents/a1"))["paused"]).toBeUndefined();
});

test.each([
  ["heeds it", "!say begun !await GATE !say counted"],
  ["has to be ended for it", "!say begun !gate GATE !say counted"],
])("an agent that is paused in a turn about a task, and %s, goes on with it later", async (_, prompt) => {
  const hub = await startHostingHub(yard, { set: ["hosting.cancel_within=500ms"] });
  const project = yard.home();
  await spawnAgent(hub, { name: "bob", project });
  const gate = join(project, "go");
  const body = { agent: "bob", prompt: prompt.replace("GATE", gate), timeout_seconds: 600 };
  const id = String((await post(hub, "/api/tasks", body)).json["task_id"]);
  await reaches(hub, id, "seen");

  expect(await run(hub, ["pause", "bob", "--now"])).toMatchObject({ code: 0 });
  const task = async () => get(hub, `/api/tasks/${id}`);
  await eventually(async () => {
    const { json } = await hub.http.call("GET", `/api/messages/${id}`, { token: hub.operator });
    const [delivery] = json["deliveries"] as { state: string; reason: string }[];
    return delivery?.state === "held" && delivery.reason === '"bob" is paused' ? true : undefined;
  }, "its task waits");
  expect(await task()).toMatchObject({ status: "running", output: null });
  expect(await run(hub, ["agents"])).toMatchObject({
    stdout: expect.stringContaining(", paused") as unknown,
  });

  writeFileSync(gate, "");
  expect(await run(hub, ["resume", "bob"])).toMatchObject({ code: 0 });
  await eventually(async () => ((await task())["status"] === "done" ? true : undefined), "its task is done");
  expect(await task()).toMatchObject({
    output: expect.stringContaining("counted") as unknown,
    usage: { turns: 2, cost_usd: null },
  });
  expect(await get(hub, `/api/usage?by=task`)).toMatchObject({ usage: [{ key: id, turns: 2 }] });
});

test("an agent that uses up its budget waits for the person, over a kill, and goes on when they say so", async () => {
  const set = ["budgets.agent_usd=5"];
  const hub = await startHostingHub(yard, { set });
  const { id: bob } = await spawnAgent(hub, { name: "bob", project: yard.home() });
  const write = async (at: HubProcess, message: string) =>
    String((await post(at, "/api/agents/bob/messages", { message })).json["message_id"]);
  await reaches(hub, await write(hub, "!usage 3 !say one"), "finished");
  await reaches(hub, await write(hub, "!usage 6 !say two"), "finished");
  const waits = await write(hub, "!usage 8 !say three");

  const held = await get(hub, `/api/messages/${waits}`);
  expect(held).toMatchObject({
    deliveries: [{ state: "held", reason: '"bob" waits for the person: its budget of $5 is used up' }],
  });
  expect(await get(hub, "/api/agents/bob")).toMatchObject({
    state: "waiting",
    evidence: "its budget of $5 is used up",
  });
  await hub.kill();
  const again = await startHostingHub(yard, { home: hub.home, set });
  expect(await get(again, "/api/needs-you")).toMatchObject({
    items: [
      {
        kind: "budget",
        agent: "bob",
        actions: [
          { action: "continue", command: "huddle budget continue bob", path: `/api/budgets/agent/${bob}` },
          { action: "stop" },
        ],
      },
    ],
  });
  expect(await get(again, `/api/messages/${waits}`)).toMatchObject({ deliveries: [{ state: "held" }] });

  expect(await run(again, ["budget", "continue", "bob"])).toMatchObject({ code: 0 });
  await reaches(again, waits, "finished");
  expect(await get(again, "/api/needs-you")).toEqual({ items: [] });
  expect(await get(again, "/api/usage?by=agent")).toMatchObject({
    usage: [{ key: bob, name: "bob", turns: 3, cost_usd: 8 }],
  });
  const days = (await get(again, "/api/usage?by=day")) as { usage: { turns: number }[] };
  expect(days.usage.reduce((sum, { turns }) => sum + turns, 0)).toBe(3);
  const shown = await run(again, ["usage"]);
  expect(shown.stdout).toMatch(/bob\s+3\s+0\s+0\s+\$8\.00/);
});

test("who may not pause, decide or see is told so, and nonsense is refused", async () => {
  const hub = await startHostingHub(yard);
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "ben" });
  const codes = async (path: string, body: object, token = hub.operator) => {
    const { status, json } = await post(hub, path, body, token);
    return [status, json["code"]];
  };
  expect(await codes("/api/agents/ben/pause", {}, ann.token)).toEqual([403, "FORBIDDEN"]);
  expect(await codes("/api/agents/pause", {}, ann.token)).toEqual([403, "FORBIDDEN"]);
  expect(await codes("/api/agents/resume", {}, ann.token)).toEqual([403, "FORBIDDEN"]);
  expect(await codes("/api/agents/nobody/pause", {})).toEqual([404, "AGENT_NOT_FOUND"]);
  expect(await codes("/api/agents/ben/pause", { now: "yes" })).toEqual([400, "INVALID_INPUT"]);
  expect(await codes("/api/budgets/agent/ben", { decision: "continue" })).toEqual([
    409,
    "BUDGET_NOT_REACHED",
  ]);
  expect(await codes("/api/budgets/moon/ben", { decision: "continue" })).toEqual([400, "INVALID_INPUT"]);
  expect(await codes("/api/budgets/agent/ben", { decision: "perhaps" })).toEqual([400, "INVALID_INPUT"]);
  expect(await codes("/api/budgets/agent/ben", { decision: "stop" }, ann.token)).toEqual([403, "FORBIDDEN"]);
  const usage = (query: string, token = ann.token) => hub.http.call("GET", `/api/usage${query}`, { token });
  expect((await usage("?by=day")).status).toBe(403);
  expect((await usage("?by=week", hub.operator)).status).toBe(400);
  expect((await usage("?cursor=x", hub.operator)).status).toBe(400);
  expect((await usage("?by=task")).json).toEqual({ usage: [], next: null });
  expect(await run(hub, ["pause"])).toMatchObject({ code: 2 });
  expect(await run(hub, ["resume", "ben", "--all"])).toMatchObject({ code: 2 });
  expect(await run(hub, ["usage", "--by", "week"])).toMatchObject({ code: 2 });
});
