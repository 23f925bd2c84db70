import { expect, test } from "vitest";
import type { RpcBody } from "./rpc-body.js";
import { type EraHeaders, usualForm } from "./usual-form.js";

const VERSION = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const none: EraHeaders = { version: undefined, method: undefined, name: undefined };
const modern: EraHeaders = { version: VERSION, method: "tools/call", name: "list_agents" };

function form(message: Record<string, unknown>, headers: EraHeaders) {
  const params = (message["params"] ?? {}) as Record<string, unknown>;
  const body: RpcBody = {
    message,
    method: message["method"] as string,
    id: message["id"] as string | number | undefined,
    params,
    progressToken: undefined,
  };
  return usualForm(body, headers);
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const call = {
  jsonrpc: "2.0",
  id: "a",
  method: "tools/call",
  params: { name: "list_agents", arguments: {}, _meta: envelope },
};

test("requests of both eras in their usual form are recognised", () => {
  expect(form(ping, none)).toBe("2025");
  expect(form(ping, { ...none, version: "2025-11-25" })).toBe("2025");
  expect(form({ ...call, params: { name: "x", _meta: { progressToken: 1 } } }, none)).toBe("2025");
  expect(form(call, modern)).toBe("2026");
});

test.each<[string, Record<string, unknown>, EraHeaders]>([
  ["a notification", { jsonrpc: "2.0", method: "ping" }, none],
  ["another version of JSON-RPC", { ...ping, jsonrpc: "1.0" }, none],
  ["an id with a fraction", { ...ping, id: 1.5 }, none],
  ["a field too many", { ...ping, extra: 1 }, none],
  ["a header of 2026 without an envelope", ping, { ...none, version: VERSION }],
  ["an envelope without headers", call, none],
  ["a header that names another tool", call, { ...modern, name: "send_message" }],
  ["a header that names another method", call, { ...modern, method: "tools/list" }],
  ["a header that names another version", call, { ...modern, version: "2025-11-25" }],
  ["another method of 2026", { ...call, method: "tools/list" }, { ...modern, method: "tools/list" }],
  ["an answer to a question of ours", { ...call, params: { ...call.params, inputResponses: {} } }, modern],
  [
    "a client that does not say what it can",
    {
      ...call,
      params: { ...call.params, _meta: { ...envelope, "io.modelcontextprotocol/clientCapabilities": 1 } },
    },
    modern,
  ],
  [
    "a client without a name",
    { ...call, params: { ...call.params, _meta: { ...envelope, "io.modelcontextprotocol/clientInfo": {} } } },
    modern,
  ],
  [
    "a key in the envelope that is not known",
    {
      ...call,
      params: { ...call.params, _meta: { ...envelope, "io.modelcontextprotocol/logLevel": "info" } },
    },
    modern,
  ],
])("%s is left to the protocol's own classification", (_, message, headers) => {
  expect(form(message, headers)).toBeUndefined();
});
