import type { Headers } from "./ask-hub.js";
import type { Client } from "./describe-agent.js";
import { isObject, type Json } from "./json.js";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
/** Which parameter the header Mcp-Name repeats. */
const namedBy = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

type MessageFacts = {
  method: string;
  params: Json;
  /** The version that `initialize` agreed on. */
  negotiated: string | undefined;
  client: Client | undefined;
};

/** Since 2026-07-28 each request says its version itself, and its headers repeat what the body says. */
export function isModern(params: Json): boolean {
  return isObject(params["_meta"]) && typeof params["_meta"][VERSION_KEY] === "string";
}

/** What Streamable HTTP wants to see of a message without reading it, in both eras. */
export function requestHeaders({ method, params, negotiated, client }: MessageFacts): Headers {
  const headers: Record<string, string> = { accept: "application/json, text/event-stream" };
  if (client !== undefined) headers["huddle-client"] = `${asToken(client.name)}/${asToken(client.version)}`;
  const version = isObject(params["_meta"]) ? params["_meta"][VERSION_KEY] : undefined;
  if (typeof version !== "string") {
    if (negotiated !== undefined && method !== "initialize")
      headers["mcp-protocol-version"] = asToken(negotiated);
    return headers;
  }
  headers["mcp-protocol-version"] = asToken(version);
  headers["mcp-method"] = asToken(method);
  const named = params[namedBy.get(method) ?? ""];
  if (typeof named === "string") headers["mcp-name"] = encode(named);
  return headers;
}

/** Who the client says it is: in `initialize`, or with each request. */
export function clientIn(params: Json): Client | undefined {
  const { clientInfo, _meta: meta } = params;
  const info = clientInfo ?? (isObject(meta) ? meta[CLIENT_KEY] : undefined);
  if (!isObject(info) || typeof info["name"] !== "string") return undefined;
  return { name: info["name"], version: typeof info["version"] === "string" ? info["version"] : "" };
}

function encode(value: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/** Whatever a client put there, it can stand in a header. */
function asToken(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, "_").slice(0, 200);
}
