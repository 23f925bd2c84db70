// PROTOCOL.md, 18.1: what the join token may ask over MCP: whatever needs nobody.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h", "broadcast=orchestrator"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

const client = { name: "probe", version: "1" };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": client,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = (method: string) => ({ "mcp-protocol-version": "2026-07-28", "mcp-method": method });

type Asked = { token: string; set?: string; params?: object; headers?: Record<string, string> };
const ask = (method: string, { token, set = "huddle", params = {}, headers = {} }: Asked) =>
  hub.http.call("POST", `/mcp?tools=${set}`, {
    token,
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: { accept: "application/json, text/event-stream", ...headers },
  });

/** All that the instructions tell an agent and no visitor. */
const whoAnnIs = JSON.stringify('You are "ann" of the team "main".').slice(1, -1);

const opening = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: client };

test.each([
  ["initialize", { params: opening }],
  ["ping", {}],
  ["server/discover", { params: { _meta: meta }, headers: modern("server/discover") }],
  ["tools/list", { params: { _meta: meta }, headers: modern("tools/list") }],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ...["huddle", "agent", "orchestrator", "tabs"].map((set) => ["tools/list", { set }] as const),
] as const)("%s %j answers a visitor as it does an agent", async (method, asked) => {
  const before = await journalSeq(hub.http, hub.operator);

  const visitor = await ask(method, { ...asked, token: hub.join });

  expect(visitor.status).toBe(200);
  expect(visitor.json["result"]).toBeDefined();
  const agent = await ask(method, { ...asked, token: ann.token });
  expect(JSON.parse(visitor.text)).toEqual(JSON.parse(agent.text.replace(` ${whoAnnIs}`, "")));
  expect(await journalSeq(hub.http, hub.operator)).toBe(before);
});

test("a visitor is told the name that it will ask for, and an agent its own", async () => {
  const initialize = { params: opening };
  const visitor = await ask("initialize", {
    ...initialize,
    token: hub.join,
    headers: { "huddle-name": "ann" },
  });
  const agent = await ask("initialize", { ...initialize, token: ann.token });

  expect(visitor.text).toContain(JSON.stringify('You join as "ann", with a number behind it').slice(1, -1));
  expect(agent.text).toContain(whoAnnIs);
});

test("the operator's token is offered an agent's tools when it says that it is about to register one", async () => {
  const asked = { token: hub.operator, set: "orchestrator" };
  const own = await ask("tools/list", asked);
  const visitor = await ask("tools/list", { ...asked, headers: { "huddle-unregistered": "1" } });
  const agent = await ask("tools/list", { ...asked, token: ann.token });

  expect(visitor.json).toEqual(agent.json);
  expect(visitor.json).not.toEqual(own.json);
});

test.each([
  ["tools/call", { params: { name: "list_agents", arguments: {} } }],
  ["tools/call", { params: { name: "no_such_tool" } }],
  ["resources/read", { params: { uri: "huddle://agents" } }],
  ["prompts/get", { params: { name: "catch-up" } }],
  ["x/y", {}],
  // Its list tells each reader their own session.
  ["tools/list", { set: "sessions" }],
])("%s %j needs somebody", async (method, asked) => {
  expect(await ask(method, { ...asked, token: hub.join })).toMatchObject({
    status: 403,
    json: { code: "FORBIDDEN" },
  });
});

test("a visitor cannot cancel anybody's call", async () => {
  const waiting = ask("tools/call", {
    token: ann.token,
    params: { name: "wait_for_message", arguments: { timeout_seconds: 60 } },
  });
  await patiently(async () => {
    const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    expect(json["readers"]).toBe(1);
  });

  for (const token of [hub.join, hub.operator]) {
    await hub.http.call("POST", "/mcp", {
      token,
      body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      headers: { accept: "application/json, text/event-stream", "huddle-unregistered": "1" },
    });
  }
  await hub.http.call("POST", "/api/agents/ann/messages", {
    token: hub.operator,
    body: { message: "go on" },
  });

  expect((await waiting).text).toContain("go on");
});
