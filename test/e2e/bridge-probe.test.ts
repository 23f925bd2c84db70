// PROTOCOL.md, 19.2 and 19.4: whom a bridge registers and when, whose token it was given, and what it still answers at its end.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { placeBridges } from "../fakes/bridge-place.js";
import { type BridgeOptions, startBridge } from "../fakes/bridge-process.js";
import { createHubYard, type HubProcess, signalProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";
import type { McpCall } from "../fakes/scripted-mcp.js";

const yard = createHubYard();
let hub: HubProcess;
/** Those who were there before the test. */
let before: Set<string>;
beforeAll(async () => {
  hub = await yard.start();
});
beforeEach(async () => {
  before = new Set(await allNames());
});
afterAll(() => yard.clear());

/** Longer than any test: nobody joins without having called. */
const NEVER = ["--join-after", "3600"];

async function allNames(): Promise<string[]> {
  const { json } = await hub.http.call("GET", "/api/agents?limit=1000", { token: hub.operator });
  return (json["agents"] as { name: string }[]).map(({ name }) => name);
}

/** Whom this test registered. */
const names = async () => (await allNames()).filter((name) => !before.has(name));

function openBridge(options: BridgeOptions = {}) {
  return startBridge({ ...options, env: { HUDDLE_HOME: hub.home, ...options.env } });
}

const call = (name: string, args: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args } })}\n`;

test.each(["huddle", "agent", "orchestrator", "tabs"])(
  "a probe of the set %s sees the tools and registers nobody",
  async (set) => {
    // Nobody was there before.
    const cwd = yard.home();
    const bridge = openBridge({ cwd, args: ["--tools", set, ...NEVER] });

    expect((await bridge.initialize()).result).toMatchObject({ serverInfo: { name: "huddle" } });
    const listed = (await bridge.request("tools/list")).result?.["tools"];
    for (const method of ["ping", "prompts/list", "resources/list", "resources/templates/list"])
      expect((await bridge.request(method)).result).toBeDefined();
    bridge.end();
    await bridge.ended;

    expect(await names()).toEqual([]);
    const real = openBridge({ cwd, args: ["--tools", set] });
    await real.join();
    expect((await real.request("tools/list")).result?.["tools"]).toEqual(listed);
    expect(await names()).toHaveLength(1);
    await real.kill();
  },
);

test.each([
  ["tools/call", { name: "list_agents", arguments: {} }],
  ["resources/read", { uri: "huddle://agents" }],
  ["prompts/get", { name: "catch-up" }],
])("%s registers", async (method, params) => {
  const name = method.replace("/", "-");
  const bridge = openBridge({ args: ["--name", name, ...NEVER] });
  await bridge.initialize();

  expect((await bridge.request(method, params)).result).toBeDefined();

  expect(await names()).toEqual([name]);
  await bridge.kill();
});

test("a client that stays is registered without having called anything", async () => {
  const bridge = openBridge({ args: ["--name", "stays", "--join-after", "0"] });

  await bridge.initialize();

  await patiently(async () => expect(await names()).toEqual(["stays"]));
  await bridge.kill();
});

test("a client that nobody has answered yet has not stayed", async () => {
  const { hub, start } = await placeBridges(() => undefined);
  const bridge = start({ args: ["--join-after", "0"] });
  bridge.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
  await patiently(() => expect(hub.calls).toHaveLength(1));

  bridge.send({ jsonrpc: "2.0", id: 2, method: "ping" });
  await patiently(() => expect(hub.calls).toHaveLength(2));

  expect([hub.registered, hub.others]).toEqual([[], []]);
});

test("one that stays in its old place is seen again at once, and one that the hub forgot is registered again", async () => {
  const { hub, start } = await placeBridges();
  const first = start();
  await first.join();
  await first.kill();

  const second = start({ args: ["--join-after", "0"] });
  await second.initialize();
  await patiently(() => expect(hub.others).toContain("POST /api/agents/test-shop/heartbeat token-test-shop"));
  expect(hub.registered).toHaveLength(1);
  await second.kill();

  hub.dead.add("token-test-shop");
  const third = start({ args: ["--join-after", "0"] });
  await third.initialize();
  await patiently(() => expect(hub.registered).toHaveLength(2));
});

test("a probe in an old place takes nobody's name in vain: no call is made as its agent", async () => {
  const { hub, start, kept } = await placeBridges();
  const first = start();
  await first.join();
  await first.kill();
  const [calls, others] = [hub.calls.length, hub.others.length];

  const probe = start({ args: NEVER });
  await probe.initialize();
  await probe.request("tools/list");
  probe.end();
  await probe.ended;

  const tokens = hub.calls.slice(calls).map(({ headers }) => headers.authorization);
  expect(new Set(tokens)).toEqual(new Set(["Bearer hud_join_test"]));
  expect(hub.others).toHaveLength(others);
  expect(kept()).toHaveLength(1);
  const again = start();
  await again.join();
  expect(hub.registered).toHaveLength(1);
});

test("an older hub, which answers no visitors, is joined at once", async () => {
  const { hub, start } = await placeBridges(({ headers, response }) => {
    if (headers.authorization !== "Bearer hud_join_test") return { tools: [] };
    response.writeHead(403, { "content-type": "application/json" }).end('{"error":"no","code":"FORBIDDEN"}');
    return undefined;
  });
  const bridge = start({ args: NEVER });

  expect((await bridge.initialize()).result).toEqual({ tools: [] });

  expect(hub.registered).toHaveLength(1);
});

test("the set sessions tells each client its own id, so its list registers", async () => {
  const bridge = openBridge({ args: ["--tools", "sessions", "--name", "lists", ...NEVER] });
  await bridge.initialize();
  expect(await names()).toEqual([]);

  const list = JSON.stringify((await bridge.request("tools/list")).result);

  const { json } = await hub.http.call("GET", "/api/agents/lists", { token: hub.operator });
  expect(list).toContain(String(json["id"]));
  await bridge.kill();
});

test.each(["HUDDLE_TOKEN", "HUDDLE_TOKEN_FILE"])(
  "%s with an agent's token acts as that agent",
  async (variable) => {
    const own = await registerAgent(hub.http, hub.join, {
      name: variable === "HUDDLE_TOKEN" ? "held" : "filed",
    });
    const file = join(yard.home(), `${own.name}.token`);
    writeFileSync(file, `${own.token}\n`, { mode: 0o600 });
    const env = { [variable]: variable === "HUDDLE_TOKEN" ? own.token : file };
    await hub.http.call("POST", `/api/agents/${own.name}/messages`, {
      token: hub.operator,
      body: { message: "for you" },
    });

    const bridge = openBridge({ env });
    await bridge.initialize();
    const mail = await bridge.request("tools/call", { name: "check_messages", arguments: {} });

    expect(JSON.stringify(mail.result)).toContain("for you");
    expect(await names()).toEqual([own.name]);
    await hub.http.call("DELETE", `/api/agents/${own.name}`, { token: hub.operator });
    const gone = await bridge.request("tools/call", { name: "list_agents" });
    expect(JSON.stringify(gone.result)).toMatch(/AGENT_GONE.*HUDDLE_TOKEN|HUDDLE_TOKEN.*AGENT_GONE/);
    await bridge.kill();
  },
);

test("an agent's token that the hub does not know is refused, and nobody is registered", async () => {
  const bridge = openBridge({ env: { HUDDLE_TOKEN: `hud_agent_${"A".repeat(43)}` } });

  expect((await bridge.initialize()).error?.data).toMatchObject({ code: "UNAUTHENTICATED" });

  expect(await names()).toEqual([]);
  await bridge.kill();
});

test("an orchestrator's token gives an orchestrator's tools", async () => {
  const boss = await registerAgent(hub.http, hub.operator, { name: "boss", role: "orchestrator" });
  const bridge = openBridge({ env: { HUDDLE_TOKEN: boss.token }, args: ["--tools", "orchestrator"] });

  expect(JSON.stringify((await bridge.request("tools/list")).result)).toContain("get_agent_status");
  await bridge.kill();
});

test.each(["join", "operator"] as const)("the %s token in HUDDLE_TOKEN registers", async (scope) => {
  const bridge = openBridge({ env: { HUDDLE_TOKEN: hub[scope], HUDDLE_AGENT: `by-${scope}` } });
  await bridge.join();

  expect(await names()).toEqual([`by-${scope}`]);
  await bridge.kill();
});

test("at the end of stdin a call that is under way is answered first, a wait is not waited for", async () => {
  const slow: McpCall[] = [];
  const { start } = await placeBridges((asked) => {
    if (asked.message.method !== "tools/call") return {};
    slow.push(asked);
    return undefined;
  });
  const bridge = start();
  await bridge.initialize();
  bridge.send({ jsonrpc: "2.0", id: "w", method: "tools/call", params: { name: "wait_for_message" } });
  bridge.write(call("send_message"));
  bridge.end();
  await patiently(() => expect(slow).toHaveLength(2));
  const [, open] = slow.sort((a, b) => Number(a.message.id === 7) - Number(b.message.id === 7));
  // The bridge is through with its lines: only the hub's answer ends it now.
  await patiently(() =>
    expect(slow.some(({ request }) => request.destroyed || request.socket.destroyed)).toBe(true),
  );
  expect(bridge.child.exitCode).toBeNull();
  open?.response
    .writeHead(200, { "content-type": "application/json" })
    .end('{"jsonrpc":"2.0","id":7,"result":{"late":true}}');

  expect(await bridge.ended).toEqual({ code: 0, signal: null });
  expect(bridge.said.filter(({ id }) => id === 7)).toMatchObject([{ result: { late: true } }]);
  expect(bridge.said.filter(({ id }) => id === "w")).toEqual([]);
});

test("a line that is piped in is answered, also where the hub has to be started for it", async () => {
  const home = yard.home();
  const running = promisify(execFile)(process.execPath, [resolve("dist/main.js"), "mcp", "--name", "ann"], {
    env: { PATH: process.env["PATH"], HOME: "/nowhere", HUDDLE_HOME: home },
  });
  running.child.stdin?.end(call("list_agents"));

  const { stdout } = await running;

  const { json } = await readHub(home);
  expect(JSON.parse(stdout)).toMatchObject({ id: 7, result: { content: [{ type: "text" }] } });
  expect(stdout).toContain('\\"self\\":\\"ann\\"');
  signalProcess(json.pid, "SIGKILL");
});

async function readHub(home: string): Promise<{ json: { pid: number } }> {
  const { readFile } = await import("node:fs/promises");
  return { json: JSON.parse(await readFile(join(home, "hub.json"), "utf8")) as { pid: number } };
}
