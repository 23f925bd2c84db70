import type { Random } from "../fakes/random.js";

/** A good message of the tools' protocol: mostly a call, of either era. Nobody is renamed: the rest of the run needs them. */
export function goodRpc(random: Random, n: number): object {
  const isModern = random.chance(0.3);
  const meta = isModern
    ? { _meta: { ...envelope, ...progress(random) } }
    : random.chance(0.1)
      ? { _meta: progress(random) }
      : {};
  const id = random.pick([n, `id-${n}`]);
  if (random.chance(0.2)) {
    const method = random.pick([
      "initialize",
      "tools/list",
      "prompts/list",
      "ping",
      "server/discover",
      "x/y",
    ]);
    return { jsonrpc: "2.0", id, method, params: meta };
  }
  const [name, args] = random.pick(calls(random, n));
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...meta } };
}

/** The ids of what a call stored, if this is its answer. */
export function storedByRpc(answer: Record<string, unknown>): string[] {
  const result = answer["result"] as { content?: { text?: unknown }[] } | undefined;
  const text = result?.content?.[0]?.text;
  if (typeof text !== "string") return [];
  const { message_id, messageId, request_id } = JSON.parse(text) as Record<string, unknown>;
  return [message_id, messageId, request_id].filter((stored) => typeof stored === "string");
}

export const rpcHeaders = (message: object): Record<string, string> => {
  const { method, params } = message as { method: string; params: Record<string, unknown> };
  const isModern = JSON.stringify(params).includes("io.modelcontextprotocol");
  return {
    accept: "application/json, text/event-stream",
    ...(isModern ? { "mcp-protocol-version": VERSION, "mcp-method": method } : {}),
    ...(isModern && typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
  };
};

const VERSION = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function progress(random: Random): object {
  return random.chance(0.2) ? { progressToken: "p" } : {};
}

function calls(random: Random, n: number): [string, object][] {
  return [
    ["send_message", { to: "ben", content: `text ${n}`, attention: random.pick(["queue", "fyi"]) }],
    ["check_messages", random.chance(0.5) ? { ack: n.toString(36) } : {}],
    ["wait_for_message", { timeout_seconds: 1, from: "ben" }],
    ["list_agents", { cursor: "a" }],
    ["request_task", { description: `help ${n}`, timeout_seconds: 100 }],
    ["claim_request", { request_id: `req-${n}` }],
    ["claim_work", { task: `task ${random.int(20)}`, lease_seconds: 5 }],
    ["release_work", { task: `task ${random.int(20)}` }],
    ["message_status", { message_id: `id-${random.int(50)}` }],
    ["broadcast", { content: `all ${n}`, attention: "fyi" }],
    ["no_such_tool", {}],
  ];
}
