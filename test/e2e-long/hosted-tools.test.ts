import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";

const yard = createHubYard();
let plain: HubProcess;
let preset: HubProcess;
beforeAll(async () => {
  plain = await startHostingHub(yard);
  preset = await startHostingHub(yard, { set: ["default_backend=scripted"] });
});
afterAll(() => yard.clear());

async function toolsOf(hub: HubProcess, name: string): Promise<unknown> {
  return (await hub.http.call("GET", `/api/agents/${name}`, { token: hub.operator })).json["tools"];
}

/** The person's newest message from an agent, once it has one that says so. */
function told(hub: HubProcess, from: string, words: string): Promise<string> {
  return eventually(async () => {
    const { json } = await hub.http.call("GET", `/api/inbox?from=${from}`, { token: hub.operator });
    return (json["messages"] as { content: string }[])
      .map(({ content }) => content)
      .find((c) => c.includes(words));
  }, `${from} says ${words}`);
}

const call = (tool: string, args: object) => `!tool ${tool} ${JSON.stringify(args)}`;

test("a hosted agent has the tools that were asked for, and no others, after a restart too", async () => {
  const hub = await startHostingHub(yard, { set: ["backends.scripted.tools=tabs", "tools=agent"] });
  const project = yard.home();
  await spawnAgent(hub, { name: "one", project, tools: "sessions" });
  await spawnAgent(hub, { name: "two", project });

  expect(await toolsOf(hub, "one")).toBe("sessions");
  expect(await toolsOf(hub, "two")).toBe("tabs");
  const say = (to: string, message: string, at = hub) =>
    at.http.call("POST", `/api/agents/${to}/messages`, { token: at.operator, body: { message } });
  await say("one", call("send_agent_message", { sessionId: "user", message: "by session" }));
  await told(hub, "one", "by session");
  await say("two", call("send_to_agent", { target: "user", message: "by tab" }));
  await told(hub, "two", "by tab");

  await hub.stop();
  const again = await startHostingHub(yard, { home: hub.home });
  expect(await toolsOf(again, "one")).toBe("sessions");
  await say("one", call("send_agent_message", { sessionId: "user", message: "still by session" }), again);
  await told(again, "one", "still by session");
});

test("an unknown set is refused with the sets that there are: at spawn and by the command", async () => {
  const hub = plain;
  const body = { backend: "scripted", project: yard.home(), tools: "chess" };
  const sets = ["huddle", "agent", "orchestrator", "tabs", "sessions"];
  for (const [path, asked] of [
    ["/api/agents/spawn", body],
    ["/api/sessions", { cwd: body.project, backend: "scripted", tools: "chess" }],
  ] as const) {
    const { status, json } = await hub.http.call("POST", path, { token: hub.operator, body: asked });
    expect(status).toBe(400);
    expect(json["code"]).toBe("INVALID_INPUT");
    for (const set of sets) expect(json["error"]).toContain(set);
  }
  const env = { HUDDLE_HOME: hub.home };
  const typed = await cli(["spawn", "scripted", "--tools", "chess"], { env });
  expect(typed.code).toBe(2);
  for (const set of sets) expect(typed.stderr).toContain(set);
  const spawned = await cli(["spawn", "scripted", "--name", "tab", "--tools", "tabs", "-C", body.project], {
    env,
  });
  expect(spawned).toMatchObject({ code: 0 });
  expect(await toolsOf(hub, "tab")).toBe("tabs");
});

test("a session that names no backend runs on its creator's, else on the default, and is else an inbox", async () => {
  const cwd = yard.home();
  const ann = await registerAgent(plain.http, plain.join, { name: "ann", backend: "scripted" });
  const bob = await registerAgent(plain.http, plain.join, { name: "bob" });
  const runtimeOf = async (hub: HubProcess, { json }: { json: Record<string, unknown> }) =>
    (await hub.http.call("GET", `/api/agents/${String(json["name"])}`, { token: hub.operator })).json;

  const own = await ann.call("POST", "/api/sessions", { body: { cwd } });
  expect(own).toMatchObject({ status: 201 });
  expect(own.json).not.toHaveProperty("token");
  expect(await runtimeOf(plain, own)).toMatchObject({ backend: "scripted", runtime: "acp", parent: "ann" });
  const inbox = await bob.call("POST", "/api/sessions", { body: { cwd } });
  expect(inbox).toMatchObject({ status: 201, json: { token: expect.any(String) as unknown } });
  expect(await runtimeOf(plain, inbox)).toMatchObject({ backend: null, runtime: null });
  const noTools = await bob.call("POST", "/api/sessions", { body: { cwd, tools: "tabs" } });
  expect(noTools).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
  const mcp = await connectMcp(plain, bob.token, { set: "sessions" });
  expect(await mcp.call("create_agent_session", { cwd })).toMatchObject({
    isError: true,
    code: "BACKEND_UNKNOWN",
  });

  const eve = await registerAgent(preset.http, preset.join, { name: "eve" });
  const spawned = await eve.call("POST", "/api/sessions", { body: { cwd } });
  expect(await runtimeOf(preset, spawned)).toMatchObject({ backend: "scripted", runtime: "acp" });
  const person = await preset.http.call("POST", "/api/agents/spawn", {
    token: preset.operator,
    body: { project: cwd, name: "worker" },
  });
  expect(await runtimeOf(preset, person)).toMatchObject({ backend: "scripted", runtime: "acp" });
});

test("a session that another created can call it back, by the session id in its prompt", async () => {
  const hub = preset;
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const mcp = await connectMcp(hub, ann.token, { set: "sessions" });

  const initialMessage = call("send_agent_message", { sessionId: ann.id, message: "Results: 42" });
  const created = await mcp.call("create_agent_session", { cwd: yard.home(), initialMessage });

  const { message } = await mcp.call("wait_for_message", { timeout_seconds: 110 });
  expect(message).toMatchObject({ content: "Results: 42", fromSession: created["sessionId"] });
  expect(await toolsOf(hub, String(created["name"]))).toBe("sessions");
});
