import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp, eras } from "../fakes/mcp-client.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h", "http.body_limit=64KiB"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "bob" });
});
afterAll(() => yard.clear());

const accept = { accept: "application/json, text/event-stream" };
const post = (body: unknown, headers: Record<string, string> = {}, query = "") =>
  ann.call("POST", `/mcp${query}`, { body, headers: { ...accept, ...headers } });
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("before a message can be read", () => {
  test.each([
    ["nothing", "", 400, -32700, "BAD_JSON"],
    ["half a message", '{"jsonrpc":"2.0",', 400, -32700, "BAD_JSON"],
    ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), 400, -32700, "BAD_JSON"],
    ["a key given twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700, "BAD_JSON"],
    ["__proto__", '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}', 400, -32700, "BAD_JSON"],
    ["deep nesting", `${"[".repeat(100)}${"]".repeat(100)}`, 400, -32700, "BAD_JSON"],
    ["a batch", [ping, { ...ping, id: 2 }], 400, -32600, "INVALID_INPUT"],
    ["an empty batch", [], 400, -32600, "INVALID_INPUT"],
    ["a number", "7", 400, -32600, "INVALID_INPUT"],
    ["null", "null", 400, -32600, "INVALID_INPUT"],
    ["a number beyond numbers", `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, 400, -32600, "INVALID_INPUT"],
    [
      "such a number in a call",
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_agents","arguments":{"limit":1e999}}}`,
      400,
      -32600,
      "INVALID_INPUT",
    ],
    ["a long id", { ...ping, id: "x".repeat(10_000) }, 400, -32600, "INVALID_INPUT"],
    ["too much", { ...ping, params: { x: "x".repeat(70_000) } }, 413, -32600, "BODY_TOO_LARGE"],
  ])("%s is a JSON-RPC error with the code", async (_, body, status, code, hubCode) => {
    const answer = await post(body);

    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code, data: { code: hubCode } } });
  });

  test.each([
    ["no version of JSON-RPC", { id: 1, method: "ping" }],
    ["another version", { ...ping, jsonrpc: "1.0" }],
    ["no method", { jsonrpc: "2.0", id: 1 }],
    ["an id that is an object", { ...ping, id: {} }],
    ["a null id", { ...ping, id: null }],
    ["parameters that are a list", { ...ping, params: [1] }],
    ["a field too many", { ...ping, extra: true }],
  ])("%s is an invalid request", async (_, body) => {
    const { status, json } = await post(body);

    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { code: -32600 } });
  });

  const init = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  test.each([
    ["a version that is a number", "initialize", { ...init, protocolVersion: 7 }, -32600, "protocolVersion"],
    ["a version that is null", "initialize", { ...init, protocolVersion: null }, -32600, "protocolVersion"],
    ["no version", "initialize", {}, -32600, "protocolVersion"],
    ["nothing", "initialize", undefined, -32600, "params"],
    ["capabilities that are a number", "initialize", { ...init, capabilities: 7 }, -32600, "capabilities"],
    ["a client that is a text", "initialize", { ...init, clientInfo: "x" }, -32600, "clientInfo"],
    ["a cursor that is a number", "tools/list", { cursor: 7 }, -32602, "cursor"],
    ["a cursor that is an object", "prompts/list", { cursor: {} }, -32602, "cursor"],
    ["a cursor that is a list", "resources/list", { cursor: [] }, -32602, "cursor"],
    ["a cursor that is true", "resources/templates/list", { cursor: true }, -32602, "cursor"],
    ["no tool", "tools/call", {}, -32602, "name"],
    ["a tool that is a number", "tools/call", { name: 7 }, -32602, "name"],
    ["arguments that are a number", "tools/call", { name: "list_agents", arguments: 7 }, -32602, "arguments"],
    ["no prompt", "prompts/get", {}, -32602, "name"],
    [
      "a prompt's argument that is a number",
      "prompts/get",
      { name: "delegate", arguments: { task: 7 } },
      -32602,
      "arguments.task",
    ],
    ["no resource", "resources/read", {}, -32602, "uri"],
    ["a resource that is a number", "resources/read", { uri: 7 }, -32602, "uri"],
    ["a _meta that is a number", "ping", { _meta: 5 }, -32602, "_meta"],
    ["a _meta that is a list", "tools/list", { _meta: [] }, -32602, "_meta"],
  ])("%s in %s is the client's mistake, and says where", async (_, method, params, code, field) => {
    const { json } = await post({ jsonrpc: "2.0", id: 1, method, params });

    expect(json).toMatchObject({ id: 1, error: { code, data: { code: "INVALID_INPUT" } } });
    expect(JSON.stringify(json["error"])).toContain(`"field":"${field}"`);
  });

  test.each(["tools/list", "prompts/get", "resources/read"])(
    "wrong parameters of %s by a client of 2026 are its mistake too",
    async (method) => {
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const params = { cursor: 7, uri: 7, name: 7, _meta: meta };
      const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
      const { json } = await post({ jsonrpc: "2.0", id: 1, method, params }, headers);

      expect(json).toMatchObject({ id: 1, error: { code: -32602, data: { code: "INVALID_INPUT" } } });
    },
  );

  test("another content type, a client that takes no JSON, and an unknown set of tools", async () => {
    expect((await post(JSON.stringify(ping), { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(ping, { accept: "text/html" })).status).toBe(406);
    expect(await post(ping, {}, "?tools=everything")).toMatchObject({
      status: 400,
      json: { code: "INVALID_INPUT" },
    });
  });

  test.each(["1999-01-01", "not a version", "2027-01-01"])(
    "a version of the protocol that is none: %s",
    async (version) => {
      expect((await post(ping, { "mcp-protocol-version": version })).status).toBe(400);
    },
  );

  test("GET and DELETE are not part of it", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await ann.call(method, "/mcp", { headers: accept });
      expect(answer.status).toBe(405);
      expect(answer.headers["allow"]).toBe("POST");
    }
  });

  test("the token of an agent that was removed, the join token and none", async () => {
    const left = await registerAgent(hub.http, hub.join, { name: "left" });
    await hub.http.call("DELETE", "/api/agents/left", { token: hub.operator });
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_agents" } };
    const status = async (token?: string) =>
      (await hub.http.call("POST", "/mcp", { token, body, headers: accept })).status;

    expect([await status(left.token), await status(hub.join), await status()]).toEqual([401, 403, 401]);
  });
});

describe.each(eras)("with a client of %s", (era) => {
  test("an unknown tool is a JSON-RPC error that names the nearest", async () => {
    const mcp = await connectMcp(hub, ann.token, { era });

    await expect(mcp.call("send_mesage", {})).rejects.toMatchObject({
      code: -32602,
      data: { code: "TOOL_NOT_FOUND", did_you_mean: "send_message" },
    });
  });

  test.each([
    ["nothing", "send_message", {}, "content"],
    ["a field missing", "send_message", { to: "bob" }, "content"],
    ["a field too many", "send_message", { to: "bob", content: "x", sender: "user" }, "sender"],
    ["a misspelt field", "send_message", { to: "bob", contents: "x" }, 'did you mean "content"'],
    ["a number for text", "send_message", { to: "bob", content: 7 }, "content"],
    ["empty text", "send_message", { to: "bob", content: "" }, "content"],
    ["an unknown word", "send_message", { to: "bob", content: "x", attention: "now" }, "attention"],
    ["a list for text", "check_messages", { from: ["bob"] }, "from"],
    ["a task of two lines", "claim_work", { task: "a\nb" }, "task"],
    ["a time of nought", "request_task", { description: "x", timeout_seconds: 0 }, "timeout_seconds"],
  ])("%s is refused, says what is wrong and stores nothing", async (_, tool, args, named) => {
    const mcp = await connectMcp(hub, ann.token, { era });
    const before = await journalSeq(hub.http, hub.operator);

    const answer = await mcp.call(tool, args);

    expect(answer).toMatchObject({ isError: true, code: "INVALID_INPUT" });
    expect(answer["error"]).toContain(named);
    expect(await journalSeq(hub.http, hub.operator)).toBe(before);
  });

  test.each([
    ["to oneself", "send_message", { to: "ann", content: "x" }, "SELF_SEND"],
    ["to nobody", "send_message", { to: "nobody-at-all", content: "x" }, "AGENT_NOT_FOUND"],
    ["to a strange name", "send_message", { to: "../x", content: "x" }, "TARGET_INVALID"],
    [
      "a reply to nothing",
      "send_message",
      { to: "bob", content: "x", reply_to: "none" },
      "REPLY_TARGET_NOT_FOUND",
    ],
    ["a claim of nothing", "claim_request", { request_id: "req-none" }, "REQUEST_NOT_FOUND"],
    ["a wait for nothing", "wait_for_message", { request_id: "req-none" }, "REQUEST_NOT_FOUND"],
    ["mail of nobody", "check_messages", { from: "nobody" }, "AGENT_NOT_FOUND"],
    ["a bad name", "set_name", { name: "A B" }, "NAME_INVALID"],
    ["a reserved name", "set_name", { name: "user" }, "NAME_RESERVED"],
    ["what reads like a reserved name", "set_name", { name: "us3r" }, "NAME_RESERVED"],
    ["a status of nothing", "message_status", { message_id: "none" }, "MESSAGE_NOT_FOUND"],
  ])("%s is refused with its code", async (_, tool, args, code) => {
    const mcp = await connectMcp(hub, ann.token, { era });

    expect(await mcp.call(tool, args)).toMatchObject({ isError: true, code });
  });

  test("content beyond the limit is refused and the connection goes on", async () => {
    const mcp = await connectMcp(hub, ann.token, { era });

    await expect(mcp.call("send_message", { to: "bob", content: "x".repeat(100_000) })).rejects.toThrow();
    expect(await mcp.call("list_agents")).toMatchObject({ self: "ann" });
  });

  test("an unknown method is a JSON-RPC error", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": era,
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const isModern = era === "2026-07-28";
    const { json } = await post(
      { jsonrpc: "2.0", id: 1, method: "nothing/like-it", params: isModern ? { _meta: meta } : {} },
      isModern ? { "mcp-protocol-version": era, "mcp-method": "nothing/like-it" } : {},
    );

    expect(json).toMatchObject({ id: 1, error: { code: -32601 } });
  });
});

test("tool arguments that are no object are refused by the protocol", async () => {
  const { json } = await post({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_agents", arguments: [1] },
  });

  expect(json).toMatchObject({ id: 1, error: { code: expect.any(Number) as unknown } });
});
