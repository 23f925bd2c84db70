import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServerSentEvents } from "../fakes/event-streams.js";
import {
  eventually,
  processesOf,
  reaches,
  spawnAgent,
  startHostingHub,
  stateOf,
} from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { readProcesses } from "../fakes/processes.js";
import { cli } from "../fakes/run-cli.js";

const yard = createHubYard();
/** Of the tests that do not end it; each has agents of its own. */
let hub: HubProcess;
beforeAll(async () => {
  const set = ["hosting.cancel_within=1m", 'backends.ghost.acp=["no-such-program-at-all"]'];
  hub = await startHostingHub(yard, { set });
});
afterAll(() => yard.clear());

const spawn = (at: HubProcess, fields: Record<string, unknown> = {}) =>
  spawnAgent(at, { project: yard.home(), ...fields });
const tell = (at: HubProcess, name: string, message: string) =>
  at.http.call("POST", `/api/agents/${name}/messages`, { token: at.operator, body: { message } });
const idOf = (answer: { json: Record<string, unknown> }) => String(answer.json["message_id"]);

test("a message to a spawned agent goes up the whole ladder, with the evidence of each step", async () => {
  const bob = await spawn(hub, { name: "bob" });
  expect(bob).toMatchObject({ name: "bob" });
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

test("what an agent thought, called and planned is kept with its turn", async () => {
  const { id } = await spawn(hub, { name: "thinker" });
  const stream = await openServerSentEvents(hub.url, { token: hub.operator, query: "?after=0" });

  await tell(hub, "thinker", "!think hm !call in_progress !call completed !plan !say done");

  const turn = await stream.until(({ type, data }) => type === "TurnEnded" && data?.["agent"] === id);
  stream.close();
  expect(turn.data).toMatchObject({
    stop: "end_turn",
    text: "done",
    thoughts: "hm",
    tools: [{ title: "Read a file", status: "done" }],
    plan: [{ text: "Look", status: "in_progress" }],
  });
});

test("a session with a backend is hosted, gets its first message, and returns no token", async () => {
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

test("mail for a busy agent waits in order; an interrupt cuts its turn", async () => {
  await spawn(hub, { name: "busy" });
  const cid = await registerAgent(hub.http, hub.join, { name: "cid" });
  const first = idOf(await cid.send("busy", "!stream 1000000"));
  await reaches(hub, first, "seen");
  const queued = await cid.send("busy", "!say queued");
  expect(queued.status).toBe(202);

  const cut = await cid.send("busy", "!say cut", { attention: "interrupt" });

  expect((await reaches(hub, idOf(cut), "finished")).state).toBe("finished");
  expect((await reaches(hub, first, "finished")).steps.at(-1)).toMatchObject({ stop: "cancelled" });
  await reaches(hub, idOf(queued), "finished");
});

test("agents of the hub use its tools: one spawns another, which reports back", async () => {
  const boss = await spawn(hub, { name: "boss" });
  const task = { to: "boss", content: "all green" };
  const child = {
    name: "tester",
    backend: "scripted",
    message: `!tool send_message ${JSON.stringify(task)}`,
  };

  const asked = await tell(
    hub,
    "boss",
    `!tool spawn_agent ${JSON.stringify({ ...child, message: "Wait for your task." })}`,
  );
  await reaches(hub, idOf(asked), "finished");
  const tester = await hub.http.call("GET", "/api/agents/tester", { token: hub.operator });
  expect(tester.json).toMatchObject({ name: "tester", project: boss.project, backend: "scripted" });
  const told = await tell(hub, "tester", child.message);
  await reaches(hub, idOf(told), "finished");

  const found = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/messages", { token: hub.operator });
    const all = json["messages"] as { from: string; to: string; content: string; id: string }[];
    return all.find(({ from, content }) => from === "tester" && content === "all green");
  }, "the tester's message");
  expect(found.to).toBe("boss");
  await reaches(hub, found.id, "finished");
});

test("whoever waits for an answer on the command line gets it from an agent that was never told an id", async () => {
  await spawn(hub, { name: "counts" });
  const answer = JSON.stringify({ to: "user", content: "four" });

  const run = await cli(["send", "counts", `!tool send_message ${answer}`, "--wait", "300", "--json"], {
    env: { HUDDLE_HOME: hub.home },
  });

  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ answer: { from: "counts", content: "four" } });
});

test("a permission is asked of the person, with the details, and their answer reaches the agent", async () => {
  const asker = await spawn(hub, { name: "asker" });
  const sent = await tell(hub, "asker", "!permission");
  const [asked] = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
    const open = json["permissions"] as { id: string; agent: string }[];
    return open.length === 1 ? open : undefined;
  }, "a question");
  expect(asked).toMatchObject({ agent: "asker" });
  await eventually(
    async () => ((await stateOf(hub, "asker")) === "waiting" ? true : undefined),
    "it waits for the answer",
  );
  const eve = await registerAgent(hub.http, hub.join, { name: "eve" });
  const path = `/api/permissions/${asked?.id}`;
  expect((await eve.call("POST", path, { body: { decision: "once" } })).status).toBe(403);

  const answer = await hub.http.call("POST", path, { token: hub.operator, body: { decision: "once" } });

  expect(answer.json).toMatchObject({ agent: "asker", outcome: "once" });
  await reaches(hub, idOf(sent), "finished");
  await eventually(async () => {
    const state = await hub.http.call("GET", `/api/sessions/${asker.id}/state`, { token: hub.operator });
    return JSON.stringify(state.json["lastMessage"]).includes("permission: ") ? true : undefined;
  }, "it says what it was told");
  const again = await hub.http.call("POST", path, { token: hub.operator, body: { decision: "deny" } });
  const counts = { outcome: "once", by: "user", answered: expect.stringMatching(/Z$/) as string };
  expect(again.json).toMatchObject({ code: "PERMISSION_ANSWERED", ...counts });
  const looked = await hub.http.call("GET", "/api/permissions?state=answered&limit=5", {
    token: hub.operator,
  });
  expect(looked.json["permissions"]).toMatchObject([
    { id: asked?.id, agent: "asker", title: "Run rm -rf build", expires_in_seconds: null, ...counts },
  ]);
  const open = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
  expect(open.json).toEqual({ permissions: [] });
});

test("a kill ends a deaf agent's processes, and its mail comes back", async () => {
  const deaf = await spawn(hub, { name: "deaf" });
  const dan = await registerAgent(hub.http, hub.join, { name: "dan" });
  await reaches(hub, idOf(await dan.send("deaf", "!deaf !hang")), "injected");

  const killed = await hub.http.call("POST", "/api/agents/deaf/kill", { token: hub.operator });

  // On a busy machine it may still be at it when that is answered.
  expect(killed.status).toBe(200);
  await eventually(async () => (processesOf(deaf.id).length === 0 ? true : undefined), "nothing is left");
  await eventually(
    async () => ((await dan.send("deaf", "hello")).status === 410 ? true : undefined),
    "it is gone",
  );
  expect((await dan.inbox()).map(({ content }) => content).join()).toContain("was not");
});

test("no token is in any process's arguments or environment while agents run", async () => {
  const waiter = await spawn(hub, { name: "waiter" });
  const file = join(hub.home, "agents", waiter.id, "identity.json");
  const { token } = JSON.parse(readFileSync(file, "utf8")) as { token: string };
  const waiting = `!tool wait_for_message ${JSON.stringify({ timeout_seconds: 300 })}`;
  await reaches(hub, idOf(await tell(hub, "waiter", waiting)), "injected");
  const hasBridge = () => readProcesses("cmdline").some(([, text]) => text.includes(file));
  await eventually(async () => (hasBridge() ? true : undefined), "its bridge runs");

  const leaks = [...readProcesses("cmdline"), ...readProcesses("environ")].filter(
    ([, text]) => text.includes(token) || text.includes(hub.operator),
  );
  expect(leaks.map(([path]) => path)).toEqual([]);
});

test("a backend that is not there says how to get it, and leaves nobody behind", async () => {
  const answer = await hub.http.call("POST", "/api/agents/spawn", {
    token: hub.operator,
    body: { backend: "ghost", name: "nobody", project: yard.home() },
  });

  expect(answer.status).toBe(424);
  expect(answer.json).toMatchObject({ code: "BACKEND_MISSING" });
  const { status } = await hub.http.call("GET", "/api/agents/nobody", { token: hub.operator });
  expect(status).toBe(404);
});

describe("a hub that ends", () => {
  let own: HubProcess;
  const startAgain = async () => {
    own = await startHostingHub(yard, { home: own.home, set: ["hosting.shutdown_within=5m"] });
  };

  test("after kill -9 of the hub nothing of its agents is left, and the next hub takes them up", async () => {
    own = await startHostingHub(yard);
    const bob = await spawn(own, { name: "bob" });
    const ann = await registerAgent(own.http, own.join, { name: "ann" });
    await reaches(own, idOf(await ann.send("bob", "!say remember me")), "finished");
    const cut = idOf(await ann.send("bob", "!family !stream 1000000"));
    await reaches(own, cut, "seen");
    expect(processesOf(bob.id).length).toBeGreaterThan(0);

    await own.kill();

    await eventually(async () => (processesOf(bob.id).length === 0 ? true : undefined), "no orphan");
    await startAgain();
    expect((await reaches(own, cut, "finished")).steps).toMatchObject([
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
    await reaches(own, idOf(await tell(own, "bob", "!recall")), "finished");
    await eventually(async () => {
      const state = await own.http.call("GET", `/api/sessions/${bob.id}/state`, { token: own.operator });
      return JSON.stringify(state.json["lastMessage"]).includes("remember me") ? true : undefined;
    }, "it remembers what came before");
  });

  test("a clean stop lets a turn end, ends every agent and removes what it made for them", async () => {
    const dora = await spawn(own, { name: "dora" });
    const gate = join(dora.project, "gate");
    const sent = idOf(await tell(own, "dora", `!say begun !gate ${gate} !say ended`));
    await reaches(own, sent, "seen");
    expect(existsSync(join(own.home, "agents", dora.id))).toBe(true);

    const stopping = own.stop();
    writeFileSync(gate, "");

    expect(await stopping).toMatchObject({ code: 0 });
    expect(processesOf(dora.id)).toEqual([]);
    expect(readdirSync(join(own.home, "agents"))).toEqual([]);
    await startAgain();
    expect((await reaches(own, sent, "finished")).steps.at(-1)).toMatchObject({ stop: "end_turn" });
  });

  const kinds = {
    plain: "!stream 1000000",
    deaf: "!deaf !hang",
    family: "!family !hang",
    silent: "!hang",
  };

  /** `npm run soak orphans` has many more. */
  test("kill -9 of the hub, twice over four nasty kinds of agents: no process is left", async () => {
    for (const round of [0, 1]) {
      if (round > 0) await startAgain();
      const agents = await Promise.all(
        Object.entries(kinds).map(async ([kind, script]) => {
          const agent = await spawn(own, { name: `${kind}-${round}` });
          await reaches(own, idOf(await tell(own, agent.name, script)), "injected");
          return agent;
        }),
      );
      expect(agents.every(({ id }) => processesOf(id).length > 0)).toBe(true);

      await own.kill();

      await eventually(
        async () => (agents.flatMap(({ id }) => processesOf(id)).length === 0 ? true : undefined),
        `no orphan in round ${round}`,
      );
    }
  });
});
