// PROTOCOL.md, 19.1 and 19.3: what the bridge does with lines, against a scripted hub.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placeBridges } from "../fakes/bridge-place.js";
import { freePort } from "../fakes/hub-sides.js";
import { patiently } from "../fakes/patiently.js";
import { type McpCall, type McpScript, scriptedMcp, startEvents } from "../fakes/scripted-mcp.js";

const initializing: McpScript = ({ message }) =>
  message.method === "initialize" ? { protocolVersion: "2025-06-18" } : { tools: [] };

test("lines pass unchanged, with the headers of the older era", async () => {
  const { shop, hub, start } = await placeBridges(initializing);
  const bridge = start({ args: ["--tools", "agent"] });
  await bridge.join({ name: "claude-code", version: "2.1" });
  const line = '{"method":"tools/list",  "params":{"x":"\u2028 é"},"jsonrpc":"2.0","id":"seven"}';
  bridge.write(`${line}\n`);
  expect(await bridge.next(({ id }) => id === "seven")).toEqual({
    jsonrpc: "2.0",
    id: "seven",
    result: { tools: [] },
  });
  const [first, , list] = hub.calls as [McpCall, McpCall, McpCall];
  expect(list.text).toBe(line);
  expect(first.headers["mcp-protocol-version"]).toBeUndefined();
  const instance = /^(\w+):1$/.exec(String(first.headers["huddle-call"]))?.[1];
  expect(list).toMatchObject({
    path: "/mcp?tools=agent",
    headers: {
      accept: "application/json, text/event-stream",
      authorization: "Bearer token-claude-shop",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-06-18",
      "huddle-call": `${instance}:3`,
      "huddle-client": "claude-code/2.1",
      "huddle-written": "1",
    },
  });
  expect(list.headers["mcp-method"]).toBeUndefined();
  expect(hub.registered).toEqual([
    { name: "claude-shop", project: shop, backend: "claude-code", heartbeat: true },
  ]);
});

test("requests of 2026-07-28 get the headers that repeat their body", async () => {
  const { hub, start } = await placeBridges();
  const bridge = start();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "codex-mcp-client", version: "3" },
  };
  await bridge.request("tools/call", { name: "send_message", arguments: {}, _meta });
  await bridge.request("resources/read", { uri: "huddle://posteingang/ü", _meta });
  await bridge.request("prompts/get", { name: " padded", _meta });
  expect(hub.calls.map(({ headers }) => [headers["mcp-method"], headers["mcp-name"]])).toEqual([
    ["tools/call", "send_message"],
    ["resources/read", `=?base64?${Buffer.from("huddle://posteingang/ü").toString("base64")}?=`],
    ["prompts/get", `=?base64?${Buffer.from(" padded").toString("base64")}?=`],
  ]);
  expect(hub.calls[0]?.headers).toMatchObject({
    "mcp-protocol-version": "2026-07-28",
    "huddle-client": "codex-mcp-client/3",
  });
  expect(hub.registered[0]).toMatchObject({ name: "codex-shop", backend: "codex" });
});

test("progress is passed on before the answer, and calls overlap", async () => {
  const open: { call: McpCall; send: ReturnType<typeof startEvents> }[] = [];
  const { start } = await placeBridges((call) => {
    if (call.message.method !== "tools/call") return {};
    open.push({ call, send: startEvents(call) });
    return undefined;
  });
  const bridge = start();
  await bridge.initialize();
  const first = bridge.request("tools/call", { name: "wait_for_message" }, "w1");
  const second = bridge.request("tools/call", { name: "wait_for_message" }, "w2");
  await patiently(() => expect(open).toHaveLength(2));
  for (const { call, send } of open) {
    send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: call.message.id } });
  }
  await bridge.next(({ params }) => params?.["progressToken"] === "w1");
  await bridge.next(({ params }) => params?.["progressToken"] === "w2");
  for (const { call, send } of open.toReversed()) {
    send({ jsonrpc: "2.0", id: call.message.id ?? null, result: { of: call.message.id } });
    call.response.end();
  }
  expect((await first).result).toEqual({ of: "w1" });
  expect((await second).result).toEqual({ of: "w2" });
});

test("a cancelled call is hung up, and nothing is written for it", async () => {
  let hungUp = false;
  const { start } = await placeBridges((call) => {
    if (call.message.method !== "tools/call") return {};
    call.response.on("close", () => {
      hungUp = true;
    });
    return undefined;
  });
  const bridge = start();
  await bridge.initialize();
  bridge.send({ jsonrpc: "2.0", id: "w", method: "tools/call", params: { name: "wait_for_message" } });
  await bridge.request("ping");
  bridge.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "w" } });
  await patiently(() => expect(hungUp).toBe(true));
  await bridge.request("ping");
  expect(bridge.said.filter(({ id }) => id === "w")).toEqual([]);
});

test("what is no request is answered with an error, and the next one works", async () => {
  const { hub, start } = await placeBridges();
  const bridge = start();
  bridge.write("hello\n\n  \r\n");
  bridge.write('{"jsonrpc":"2.0",');
  bridge.write('"id":1\n');
  bridge.write('"text"\n');
  bridge.write('{"jsonrpc":"2.0","id":{},"method":"ping"}\n{"jsonrpc":"2.0","id":8}\n');
  bridge.write('{"jsonrpc":"2.0","id":1e999,"method":"ping"}\n');
  bridge.write('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n');
  bridge.write('[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]\n[]\n');
  bridge.write('{"jsonrpc":"2.0","id":9,"result":{}}\n');
  await bridge.request("ping", {}, "last");
  expect(bridge.said.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [8, -32600],
    [null, -32600],
    [null, -32600],
    [5, -32600],
    [6, -32600],
    [null, -32600],
    ["last", undefined],
  ]);
  expect(hub.calls).toHaveLength(1);
});

test("a line of 50 MB is refused by its id and not held in memory", async () => {
  const { start } = await placeBridges();
  const bridge = start();
  await bridge.initialize();
  const chunk = Buffer.alloc(1024 * 1024, "x");
  bridge.write('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"send_message","text":"');
  for (let i = 0; i < 50; i++) bridge.write(chunk);
  bridge.write('"}}\n');
  bridge.write('{"method":"tools/call","params":{"text":"');
  for (let i = 0; i < 50; i++) bridge.write(chunk);
  bridge.write('"},"jsonrpc":"2.0","id":"last"}\n');
  for (const wanted of [77, "last"]) {
    const { error } = await bridge.next(({ id }) => id === wanted);
    expect(error?.code).toBe(-32600);
    expect(error?.message).toContain("A line may have at most");
  }
  expect((await bridge.request("ping")).result).toEqual({});
  if (process.platform === "linux") {
    const status = readFileSync(`/proc/${bridge.pid}/status`, "utf8");
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(160 * 1024);
  }
});

test("the end of stdin finishes what is quick, drops what waits, and exits with 0", async () => {
  const waits: McpCall[] = [];
  const { start } = await placeBridges((call) => {
    if (call.message.params?.["name"] === "wait_for_message") {
      waits.push(call);
      return undefined;
    }
    return { tools: [] };
  });
  const bridge = start();
  await bridge.initialize();
  bridge.send({ jsonrpc: "2.0", id: "w", method: "tools/call", params: { name: "wait_for_message" } });
  await patiently(() => expect(waits).toHaveLength(1));
  bridge.write('{"jsonrpc":"2.0","id":"quick","method":"tools/list"}');
  bridge.end();
  expect(await bridge.ended).toEqual({ code: 0, signal: null });
  expect(bridge.said.some(({ id }) => id === "quick")).toBe(true);
});

test("it ends on SIGTERM, and when nobody reads it", async () => {
  const { start } = await placeBridges();
  const first = start();
  await first.initialize();
  await first.kill("SIGTERM");
  expect((await first.ended).signal).toBe("SIGTERM");
  const second = start();
  await second.initialize();
  second.child.stdout?.destroy();
  second.send({ jsonrpc: "2.0", id: 1000, method: "ping" });
  expect((await second.ended).code).toBe(0);
});

test("a hub that comes back elsewhere is found, and the call is made again under its name", async () => {
  const broken: McpCall[] = [];
  const { hub, start, pointTo } = await placeBridges((call) => {
    if (call.message.method !== "tools/call") return {};
    broken.push(call);
    call.request.socket.destroy();
    return undefined;
  });
  const bridge = start();
  await bridge.initialize();
  const answer = bridge.request("tools/call", { name: "send_message" });
  await patiently(() => expect(broken.length).toBeGreaterThan(0));
  const next = await scriptedMcp(() => ({ content: [] }));
  pointTo(next.url);
  await hub.close();
  expect((await answer).result).toEqual({ content: [] });
  expect(next.calls[0]?.headers["huddle-call"]).toBe(broken[0]?.headers["huddle-call"]);
  expect(next.calls[0]?.text).toBe(broken[0]?.text);
});

test("a wait that is made again says for how long it has waited", async () => {
  const tries: McpCall[] = [];
  const { start } = await placeBridges((call) => {
    if (call.message.method !== "tools/call") return {};
    tries.push(call);
    if (tries.length > 1) return { content: [] };
    setTimeout(() => call.request.socket.destroy(), 1100);
    return undefined;
  });
  const bridge = start();
  await bridge.initialize();

  await bridge.request("tools/call", { name: "wait_for_message" });

  expect(tries[0]?.headers["huddle-waited"]).toBeUndefined();
  expect(Number(tries[1]?.headers["huddle-waited"])).toBeGreaterThanOrEqual(1100);
});

test("a hub that stays away is an error for that call, and the next call tries again", async () => {
  const { start, pointTo } = await placeBridges();
  // None of those that the system hands out: it must be free a second time.
  const port = await freePort();
  const hub = await scriptedMcp(() => ({}), port);
  const bridge = start({ env: { HUDDLE_URL: hub.url } });
  await bridge.initialize();
  await hub.close();
  bridge.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
  const { error } = await bridge.request("tools/call", { name: "send_message" });
  expect(error?.data).toMatchObject({ code: "HUB_UNREACHABLE" });
  expect(error?.message).toContain("huddle up");
  expect(bridge.stderr()).toBe("");
  const next = await scriptedMcp(() => ({ content: [] }), port);
  pointTo(next.url);
  expect((await bridge.request("tools/call", { name: "send_message" })).result).toEqual({ content: [] });
});

test("a refusal of the hub reaches the client with its code", async () => {
  const { start } = await placeBridges(({ message, response }) => {
    if (message.method === "initialize") return {};
    response.writeHead(413, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "Too large", code: "BODY_TOO_LARGE", limit: 10 }));
    return undefined;
  });
  const bridge = start();
  await bridge.initialize();
  const { result } = await bridge.request("tools/call", { name: "send_message" });
  expect(result).toEqual({
    content: [{ type: "text", text: '{"error":"Too large","code":"BODY_TOO_LARGE","limit":10}' }],
    isError: true,
  });
  expect((await bridge.request("tools/list")).error?.data).toMatchObject({ code: "BODY_TOO_LARGE" });
});
