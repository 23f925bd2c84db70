import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { isObject, type RpcBody } from "./rpc-body.js";

/*
 * Nearly every request has one of two forms, which were published and do not change any more. They are recognised here; what
 * is odd in any way is left to the protocol's own classification and servers, which know why and take ten times as long.
 */

export type Era = "2025" | "2026";

export type EraHeaders = {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
};

const MODERN_VERSION = "2026-07-28";
const FIRST_MODERN = "2026";
const fields = new Set(["jsonrpc", "id", "method", "params"]);
const callFields = new Set(["name", "arguments", "_meta"]);

export function usualForm(body: RpcBody, headers: EraHeaders): Era | undefined {
  const { message, method, id, params } = body;
  const isRequest =
    message["jsonrpc"] === "2.0" &&
    method !== "" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    Object.keys(message).every((field) => fields.has(field)) &&
    (message["params"] === undefined || message["params"] === params);
  if (!isRequest) return undefined;
  const meta = params["_meta"];
  const hasEnvelope =
    isObject(meta) && Object.keys(meta).some((key) => key.startsWith("io.modelcontextprotocol/"));
  if (hasEnvelope) return isUsualModernCall(body, meta, headers) ? "2026" : undefined;
  return headers.version === undefined || headers.version < FIRST_MODERN ? "2025" : undefined;
}

/** A call of a tool whose headers say what its body says, by a client that says what it can. */
function isUsualModernCall(
  { method, params }: RpcBody,
  meta: Record<string, unknown>,
  headers: EraHeaders,
): boolean {
  const client = meta[CLIENT_INFO_META_KEY] ?? { name: "", version: "" };
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  return (
    method === "tools/call" &&
    headers.method === method &&
    headers.name === params["name"] &&
    headers.version === MODERN_VERSION &&
    meta[PROTOCOL_VERSION_META_KEY] === MODERN_VERSION &&
    Object.keys(meta).length === countKnown(meta) &&
    isObject(client) &&
    typeof client["name"] === "string" &&
    typeof client["version"] === "string" &&
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    Object.keys(params).every((field) => callFields.has(field))
  );
}

const known = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  "progressToken",
];

function countKnown(meta: Record<string, unknown>): number {
  return known.filter((key) => key in meta).length;
}
