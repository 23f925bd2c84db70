import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openServerSentEvents } from "../fakes/event-streams.js";
import {
  eventually,
  processesOf,
  reaches,
  spawnAgent,
  startHostingHub,
  stateOf,
} from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { readProcesses } from "../fakes/processes.js";
import { cli } from "../fakes/run-cli.js";

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

const timeout = 60_000;
const spawn = (hub: HubProcess, fields: Record<string, unknown> = {}) =>
  spawnAgent(hub, { project: yard.home(), ...fields });
const idOf = (answer: { json: Record<string, unknown> }) => String(answer.json["message_id"]);

test("a message to a spawned agent goes up the whole ladder, with the evidence of each step", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const bob = await spawn(hub, { name: "bob" });
  expect(bob).toMatchObject({ name: "bob", state: "started" });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });

  const delivery = await reaches(hub, idOf(await ann.send("bob", "!say hello there")), "finished");

  expect(delivery.steps).toMatchObject([
    { state: "accepted" },
    { state: "offered", route: "runtime" },
    { state: "injected", evidence: "acp_prompt" },
    { state: "seen", evidence: "output" },
    { state: "finished", stop: "end_turn" },
  ]);
  await eventually(async () => ((await stateOf(hub, "bob")) === "idle" ? true : undefined), "bob is idle");
  const state = await hub.http.call("GET", `/api/sessions/${bob.id}/state`, { token: ann.token });
  expect(state.json).toMatchObject({ status: "idle", isActive: true });
});

test("what an agent thought, called and planned is kept with its turn", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  await spawn(hub, { name: "bob" });
  const stream = await openServerSentEvents(hub.url, { token: hub.operator, query: "?after=0" });

  await hub.http.call("POST", "/api/agents/bob/messages", {
    token: hub.operator,
    body: { message: "!think hm !call in_progress !call completed !plan !say done" },
  });

  const turn = await stream.until(({ type }) => type === "TurnEnded");
  stream.close();
  expect(turn.data).toMatchObject({
    stop: "end_turn",
    text: "done",
    thoughts: "hm",
    tools: [{ title: "Read a file", status: "done" }],
    plan: [{ text: "Look", status: "in_progress" }],
  });
});

test("a session with a backend is hosted, gets its first message, and returns no token", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const cwd = yard.home();

  const answer = await hub.http.call("POST", "/api/sessions", {
    token: hub.operator,
    body: { cwd, backend: "scripted", name: "worker", initialMessage: "!say ready" },
  });

  expect(answer.status).toBe(201);
  expect(answer.json).not.toHaveProperty("token");
  const id = String(answer.json["sessionId"]);
  await eventually(async () => {
    const state = await hub.http.call("GET", `/api/sessions/${id}/state`, { token: hub.operator });
    const last = state.json["lastMessage"] as { role: string; content: string } | null;
    return last?.role === "assistant" && last.content === "ready" ? last : undefined;
  }, "the agent's words are its last message");
});

test("mail for a busy agent waits in order; an interrupt cuts its turn", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  await spawn(hub, { name: "bob" });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const first = idOf(await ann.send("bob", "!stream 1000000"));
  await reaches(hub, first, "seen");
  const queued = await ann.send("bob", "!say queued");
  expect(queued.status).toBe(202);

  const cut = await ann.send("bob", "!say cut", { attention: "interrupt" });

  expect((await reaches(hub, idOf(cut), "finished")).state).toBe("finished");
  expect((await reaches(hub, first, "finished")).steps.at(-1)).toMatchObject({ stop: "cancelled" });
  await reaches(hub, idOf(queued), "finished");
});

test("agents of the hub use its tools: one spawns another, which reports back", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  const boss = await spawn(hub, { name: "boss" });
  const task = { to: "boss", content: "all green" };
  const child = {
    name: "tester",
    backend: "scripted",
    message: `!tool send_message ${JSON.stringify(task)}`,
  };

  const asked = await hub.http.call("POST", "/api/agents/boss/messages", {
    token: hub.operator,
    body: { message: `!tool spawn_agent ${JSON.stringify({ ...child, message: "Wait for your task." })}` },
  });
  await reaches(hub, idOf(asked), "finished");
  const tester = await hub.http.call("GET", "/api/agents/tester", { token: hub.operator });
  expect(tester.json).toMatchObject({ name: "tester", project: boss.project, backend: "scripted" });
  const told = await hub.http.call("POST", "/api/agents/tester/messages", {
    token: hub.operator,
    body: { message: child.message },
  });
  await reaches(hub, idOf(told), "finished");

  const found = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/messages", { token: hub.operator });
    const all = json["messages"] as { from: string; to: string; content: string; id: string }[];
    return all.find(({ from, content }) => from === "tester" && content === "all green");
  }, "the tester's message");
  expect(found.to).toBe("boss");
  await reaches(hub, found.id, "finished");
});

test("whoever waits for an answer on the command line gets it from an agent that was never told an id", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  await spawn(hub, { name: "bob" });
  const answer = JSON.stringify({ to: "user", content: "four" });

  const run = await cli(["send", "bob", `!tool send_message ${answer}`, "--wait", "60", "--json"], {
    env: { HUDDLE_HOME: hub.home },
  });

  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ answer: { from: "bob", content: "four" } });
});

test("a permission is asked of the person, with the details, and their answer reaches the agent", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const bob = await spawn(hub, { name: "bob" });
  const sent = await hub.http.call("POST", "/api/agents/bob/messages", {
    token: hub.operator,
    body: { message: "!permission" },
  });
  const [asked] = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
    const open = json["permissions"] as { id: string; agent: string }[];
    return open.length === 1 ? open : undefined;
  }, "a question");
  expect(asked).toMatchObject({ agent: "bob" });
  expect(await stateOf(hub, "bob")).toBe("waiting");
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const path = `/api/permissions/${asked?.id}`;
  expect((await ann.call("POST", path, { body: { decision: "once" } })).status).toBe(403);

  const answer = await hub.http.call("POST", path, { token: hub.operator, body: { decision: "once" } });

  expect(answer.json).toMatchObject({ agent: "bob", outcome: "once" });
  await reaches(hub, idOf(sent), "finished");
  await eventually(async () => {
    const state = await hub.http.call("GET", `/api/sessions/${bob.id}/state`, { token: hub.operator });
    return JSON.stringify(state.json["lastMessage"]).includes("permission: ") ? true : undefined;
  }, "it says what it was told");
  const again = await hub.http.call("POST", path, { token: hub.operator, body: { decision: "deny" } });
  const counts = { outcome: "once", by: "user", answered: expect.stringMatching(/Z$/) as string };
  expect(again.json).toMatchObject({ code: "PERMISSION_ANSWERED", ...counts });
  const looked = await hub.http.call("GET", "/api/permissions?state=answered&limit=5", {
    token: hub.operator,
  });
  expect(looked.json["permissions"]).toMatchObject([
    { id: asked?.id, agent: "bob", title: "Run rm -rf build", expires_in_seconds: null, ...counts },
  ]);
  const open = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
  expect(open.json).toEqual({ permissions: [] });
});

test("a kill ends a deaf agent's processes, and its mail comes back", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  const bob = await spawn(hub, { name: "bob" });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await reaches(hub, idOf(await ann.send("bob", "!deaf !hang")), "injected");

  const killed = await hub.http.call("POST", "/api/agents/bob/kill", { token: hub.operator });

  expect(killed.json).toEqual({ killed: true });
  expect(processesOf(bob.id)).toEqual([]);
  expect((await ann.send("bob", "hello")).status).toBe(410);
  expect((await ann.inbox()).map(({ content }) => content).join()).toContain("was not");
});

test("after kill -9 of the hub nothing of its agents is left, and the next hub takes them up", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const bob = await spawn(hub, { name: "bob" });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await reaches(hub, idOf(await ann.send("bob", "!say remember me")), "finished");
  const cut = idOf(await ann.send("bob", "!family !stream 1000000"));
  await reaches(hub, cut, "seen");
  expect(processesOf(bob.id).length).toBeGreaterThan(0);

  await hub.kill();

  await eventually(async () => (processesOf(bob.id).length === 0 ? true : undefined), "no orphan");
  const next = await startHostingHub(yard, { home: hub.home });
  expect((await reaches(next, cut, "finished")).steps).toMatchObject([
    { state: "accepted" },
    { state: "offered", attempt: 1 },
    { state: "injected" },
    { state: "seen" },
    { state: "accepted", reason: "hub_restart" },
    { state: "offered", attempt: 2, reason: "goes_on" },
    { state: "injected" },
    { state: "seen" },
    { state: "finished", stop: "end_turn" },
  ]);
  const recalled = await next.http.call("POST", "/api/agents/bob/messages", {
    token: next.operator,
    body: { message: "!recall" },
  });
  await reaches(next, idOf(recalled), "finished");
  await eventually(async () => {
    const state = await next.http.call("GET", `/api/sessions/${bob.id}/state`, { token: next.operator });
    return JSON.stringify(state.json["lastMessage"]).includes("remember me") ? true : undefined;
  }, "it remembers what came before");
});

test("a clean stop lets a turn end, ends every agent and removes what it made for them", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const bob = await spawn(hub, { name: "bob" });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const sent = idOf(await ann.send("bob", "!stream 50"));
  await reaches(hub, sent, "seen");
  expect(existsSync(join(hub.home, "agents", bob.id))).toBe(true);

  const { code } = await hub.stop();

  expect(code).toBe(0);
  expect(processesOf(bob.id)).toEqual([]);
  expect(readdirSync(join(hub.home, "agents"))).toEqual([]);
  const next = await startHostingHub(yard, { home: hub.home });
  expect((await reaches(next, sent, "finished")).steps.at(-1)).toMatchObject({ stop: "end_turn" });
});

test("no token is in any process's arguments or environment while agents run", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  const bob = await spawn(hub, { name: "bob" });
  const file = join(hub.home, "agents", bob.id, "identity.json");
  const { token } = JSON.parse(readFileSync(file, "utf8")) as { token: string };
  const waiting = `!tool wait_for_message ${JSON.stringify({ timeout_seconds: 5 })}`;
  const sent = await hub.http.call("POST", "/api/agents/bob/messages", {
    token: hub.operator,
    body: { message: waiting },
  });
  await reaches(hub, idOf(sent), "injected");
  const hasBridge = () => readProcesses("cmdline").some(([, text]) => text.includes(file));
  await eventually(async () => (hasBridge() ? true : undefined), "its bridge runs");

  const leaks = [...readProcesses("cmdline"), ...readProcesses("environ")].filter(
    ([, text]) => text.includes(token) || text.includes(hub.operator),
  );
  expect(leaks.map(([path]) => path)).toEqual([]);
});

test("a backend that is not there says how to get it, and leaves nobody behind", { timeout }, async () => {
  const hub = await startHostingHub(yard, { set: ['backends.ghost.acp=["no-such-program-at-all"]'] });

  const answer = await hub.http.call("POST", "/api/agents/spawn", {
    token: hub.operator,
    body: { backend: "ghost", name: "bob", project: yard.home() },
  });

  expect(answer.status).toBe(424);
  expect(answer.json).toMatchObject({ code: "BACKEND_MISSING" });
  const { json } = await hub.http.call("GET", "/api/agents", { token: hub.operator });
  expect(json["agents"]).toEqual([]);
});

const kinds = {
  plain: "!stream 1000000",
  deaf: "!deaf !hang",
  family: "!family !hang",
  silent: "!hang",
};

test("kill -9 of the hub, five times over four nasty kinds of agents: no process is left", {
  timeout: 240_000,
}, async () => {
  let home: string | undefined;
  for (let round = 0; round < 5; round++) {
    const hub: HubProcess = await startHostingHub(yard, home === undefined ? {} : { home });
    ({ home } = hub);
    const agents = await Promise.all(
      Object.entries(kinds).map(async ([kind, script]) => {
        const agent = await spawn(hub, { name: `${kind}-${round}` });
        const sent = await hub.http.call("POST", `/api/agents/${agent.name}/messages`, {
          token: hub.operator,
          body: { message: script },
        });
        await reaches(hub, idOf(sent), "injected");
        return agent;
      }),
    );
    expect(agents.every(({ id }) => processesOf(id).length > 0)).toBe(true);

    await hub.kill();

    await eventually(
      async () => (agents.flatMap(({ id }) => processesOf(id)).length === 0 ? true : undefined),
      `no orphan in round ${round}`,
    );
  }
});
