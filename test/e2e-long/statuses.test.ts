// PROTOCOL.md, 10.2 and 10.3: one state, in the words of each dialect.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHookSession } from "../fakes/hook-session.js";
import { eventually, reaches, spawnAgent, startHostingHub, stateOf } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
let hub: HubProcess;
let boss: Member;

beforeAll(async () => {
  hub = await startHostingHub(yard, { set: ["presence.offline_after=24h", "presence.dead_after=24h"] });
  boss = await registerAgent(hub.http, hub.operator, { name: "boss", role: "orchestrator" });
});
afterAll(() => yard.clear());

type Row = Record<string, unknown> & { name: string };

/** How an agent is shown everywhere: over HTTP in the list and alone, as a session, and by each set's tools. */
async function shown(name: string, at = hub, by = boss) {
  const get = async (path: string) => (await at.http.call("GET", path, { token: at.operator })).json;
  const one = await get(`/api/agents/${name}`);
  const rows = (await get("/api/agents?limit=1000"))["agents"] as Row[];
  const { status, state, since, evidence }: Partial<Row> = rows.find((row) => row.name === name) ?? {};
  expect(one).toMatchObject({ status, state, since, evidence });
  const listed = async (set: string, tool: string) => {
    const mcp = await connectMcp(at, by.token, { set });
    const { agents } = (await mcp.call(tool)) as { agents: Row[] };
    return agents.find((row) => row.name === name);
  };
  return {
    http: [status, state],
    since: String(since),
    evidence,
    session: (await get(`/api/sessions/${String(one["id"])}/state`))["status"],
    huddle: (await listed("huddle", "list_agents"))?.["status"],
    tabs: (await listed("tabs", "list_agents"))?.["status"],
    agent: (await listed("agent", "list_agents"))?.["status"],
    orchestrator: (await listed("orchestrator", "get_agent_status"))?.["status"],
  };
}

const idle = {
  http: ["idle", "idle"],
  session: "idle",
  huddle: "idle",
  tabs: "idle",
  agent: "idle",
  orchestrator: "idle",
};
const busy = {
  http: ["streaming", "busy"],
  session: "streaming",
  huddle: "busy",
  tabs: "streaming",
  agent: "running",
  orchestrator: "running",
};
const listening = {
  http: ["idle", "listening"],
  evidence: "it waits for a message",
  session: "idle",
  huddle: "listening",
  tabs: "idle",
  agent: "waiting",
  orchestrator: "waiting",
};

let people = 0;
const newcomer = (fields = {}) => registerAgent(hub.http, hub.join, { name: `ann-${++people}`, ...fields });

test("an agent that the hub runs is streaming in a turn, and busy in the hub's own words", async () => {
  const bob = await spawnAgent(hub, { name: "bob", project: yard.home() });
  const sent = await boss.send("bob", "!stream 1000000");
  await reaches(hub, String(sent.json["message_id"]), "seen");

  const now = await shown("bob");

  expect(now).toMatchObject(busy);
  expect(new Date(now.since).toISOString()).toBe(now.since);
  await hub.http.call("POST", `/api/agents/${bob.name}/kill`, { token: hub.operator });
});

test.each(["wait_for_message", "GET /api/inbox?wait"])(
  "inside %s an agent listens, and the journal knows nothing of it",
  async (how) => {
    const ann = await newcomer();
    expect(await shown(ann.name)).toMatchObject({ ...idle, evidence: "registered" });
    const before = await journalSeq(hub.http, hub.operator);
    const waiting =
      how === "wait_for_message"
        ? (await connectMcp(hub, ann.token, { set: "agent" })).call("wait_for_message", {
            timeout_seconds: 110,
          })
        : ann.inbox("?wait=120");
    await patiently(async () => expect(await stateOf(hub, ann.name)).toBe("listening"));

    const inside = await shown(ann.name);
    expect(inside).toMatchObject(listening);
    expect((await shown(ann.name)).since).toBe(inside.since);
    expect(await journalSeq(hub.http, hub.operator)).toBe(before);

    await boss.send(ann.name, "hello");
    await waiting;
    expect(await shown(ann.name)).toMatchObject(idle);
  },
);

test("an agent that the hub runs listens as well, in the middle of its turn", async () => {
  await spawnAgent(hub, { name: "carl", project: yard.home() });
  await boss.send("carl", '!tool wait_for_message {"timeout_seconds":110} !stream 1000000');
  await eventually(async () => ((await stateOf(hub, "carl")) === "listening" ? true : undefined), "it waits");
  expect(await shown("carl")).toMatchObject(listening);

  await boss.send("carl", "go on");
  await eventually(async () => ((await stateOf(hub, "carl")) === "busy" ? true : undefined), "it goes on");
  await hub.http.call("POST", "/api/agents/carl/kill", { token: hub.operator });
});

test("mail that is held back shows to tabs, and a wait to tools", async () => {
  const paced = await yard.start({ paced: true, set: ['cooldown.delays=["10m"]'] });
  const chief = await registerAgent(paced.http, paced.operator, { name: "chief", role: "orchestrator" });
  const ann = await registerAgent(paced.http, paced.join, { name: "ann" });
  await ann.send("chief", "one");
  await ann.send("chief", "two");
  const waiting = ann.inbox("?wait=120");
  await patiently(async () => {
    expect(await shown("ann", paced, chief)).toMatchObject({
      http: ["rate_limited", "rate_limited"],
      tabs: "rate_limited",
      agent: "waiting",
    });
  });
  await chief.send("ann", "hello");
  await waiting;
});

test("a session with hooks runs from its prompt to its stop, and mail that keeps it going keeps it running", async () => {
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, "shop") });
  const name = "claude-shop";
  await session.told("SessionStart", { source: "startup" });
  expect(await shown(name)).toMatchObject(idle);

  await session.told("UserPromptSubmit");
  const began = await shown(name);
  expect(began).toMatchObject({ ...busy, evidence: "its hooks tell of a turn" });
  await session.told("PostToolUse");
  await session.told("SessionStart", { source: "compact" });
  expect(await shown(name)).toMatchObject({ ...busy, since: began.since });

  await boss.send(name, "one thing more");
  expect(await session.told("Stop")).toContain("one thing more");
  expect(await shown(name)).toMatchObject(busy);
  expect(await session.told("Stop", { stop_hook_active: true })).toBeUndefined();
  expect(await shown(name)).toMatchObject(idle);

  await session.told("UserPromptSubmit");
  await session.told("SessionStart", { source: "clear" });
  expect(await shown(name)).toMatchObject(idle);
});

test("no turn outlives its program, a silence, or the hub", async () => {
  const quick = await yard.start({ set: ["presence.turn_silence=3s"] });
  const chief = await registerAgent(quick.http, quick.operator, { name: "chief", role: "orchestrator" });
  const start = () => startHookSession({ home: quick.home, cwd: join(quick.home, "shop") });
  const session = await start();
  /** Shows as busy; told again where this machine took longer than the hub waits. */
  const works = (at: HubProcess) =>
    eventually(async () => {
      await session.told("UserPromptSubmit");
      return (await stateOf(at, "claude-shop")) === "busy" ? true : undefined;
    }, "it is in a turn");
  await works(quick);
  // Nothing more is heard of the turn, as when the person breaks it off.
  await patiently(async () => expect(await stateOf(quick, "claude-shop")).toBe("idle"));

  await quick.stop();
  const strict = await yard.start({ home: quick.home, set: ["presence.dead_after=3s"] });
  await works(strict);
  session.child.kill("SIGKILL");
  await patiently(async () => {
    expect(await shown("claude-shop", strict, chief)).toMatchObject({
      http: ["idle", "dead"],
      orchestrator: "dead",
    });
  });

  await strict.stop();
  const again = await yard.start({ home: quick.home });
  const next = await start();
  await next.told("PostToolUse");
  expect(await stateOf(again, "claude-shop")).toBe("busy");
  await again.stop();
  const third = await yard.start({ home: quick.home });
  expect(await stateOf(third, "claude-shop")).toBe("idle");
});

test("the uptime of an agent that the hub runs begins again with its process", async () => {
  const short = await startHostingHub(yard, { set: ["hosting.unload_after=100ms"] });
  const chief = await registerAgent(short.http, short.operator, { name: "chief", role: "orchestrator" });
  const mcp = await connectMcp(short, chief.token, { set: "orchestrator" });
  const uptime = async (tool: string) => {
    const { agents } = (await mcp.call(tool)) as { agents: Row[] };
    return agents.find(({ name }) => name === "dora")?.["uptime_seconds"];
  };
  await spawnAgent(short, { name: "dora", project: yard.home() });
  await eventually(async () => ((await stateOf(short, "dora")) === "dormant" ? true : undefined), "unloaded");
  for (const tool of ["list_agents", "get_agent_status"]) expect(await uptime(tool)).toBe(0);

  await chief.send("dora", "!stream 1000000");
  await eventually(
    async () => (Number(await uptime("get_agent_status")) >= 1 ? true : undefined),
    "it counts",
  );
  await short.http.call("POST", "/api/agents/dora/kill", { token: short.operator });
});

test("mail is filtered by sender, by name and by id, and what an agent is on has its name", async () => {
  const [ann, bob, carol] = [await newcomer(), await newcomer(), await newcomer()];
  const mcp = await connectMcp(hub, ann.token, { set: "agent" });
  await bob.send(ann.name, "from bob");
  await carol.send(ann.name, "from carol");
  const read = async (agent_id: string) => {
    const { messages } = (await mcp.call("check_messages", { agent_id })) as { messages: Row[] };
    return messages.map(({ content }) => content);
  };
  expect(await read(bob.name)).toEqual(["from bob"]);
  expect(await read(carol.id)).toEqual(["from carol"]);
  expect(await mcp.call("check_messages", { agent_id: "nobody-of-that-name" })).toMatchObject({
    code: "AGENT_NOT_FOUND",
  });

  await (await connectMcp(hub, ann.token)).call("claim_work", { task: "fix the build" });
  const chief = await connectMcp(hub, boss.token, { set: "orchestrator" });
  const { agents } = (await chief.call("get_agent_status")) as { agents: Row[] };
  expect(agents.find(({ name }) => name === ann.name)).toMatchObject({ task_id: "fix the build" });
  const listed = (await chief.call("list_agents")) as { agents: Row[] };
  expect(listed.agents.find(({ name }) => name === ann.name)).toMatchObject({
    current_task: "fix the build",
  });
});
