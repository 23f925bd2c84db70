import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "../../decoding/read-body.js";
import { type JsonLimits, parseStrictJson } from "../../decoding/strict-json.js";
import { HubError } from "../../model/errors.js";
import { httpStatus } from "../answers/status-codes.js";
import type { RequestId } from "./calls-in-flight.js";

/** What the hub itself looks at in a message of the protocol; everything else is the protocol's own business. */
export type RpcBody = {
  message: Record<string, unknown>;
  method: string;
  /** Undefined for a notification. */
  id: RequestId | undefined;
  params: Record<string, unknown>;
  progressToken: RequestId | undefined;
};

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const MAX_ID = 1000;

export async function readRpc(
  incoming: IncomingMessage,
  limit: number,
  limits: JsonLimits,
): Promise<RpcBody> {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^application\/json *(;|$)/i.test(type)) {
    throw new HubError("UNSUPPORTED_MEDIA_TYPE", "Send JSON with the header Content-Type: application/json");
  }
  const message = parseStrictJson(await readBody(incoming, limit), limits);
  if (Array.isArray(message)) {
    throw new HubError(
      "INVALID_INPUT",
      "Batches are not part of this protocol; send one message per request",
    );
  }
  if (!isObject(message)) throw new HubError("INVALID_INPUT", "The body is not a JSON-RPC message");
  const { method, id, params } = message;
  if (typeof id === "string" && id.length > MAX_ID) {
    throw new HubError("INVALID_INPUT", `The id is longer than ${MAX_ID} characters`);
  }
  const known = isObject(params) ? params : {};
  const meta = known["_meta"];
  return {
    message,
    method: typeof method === "string" ? method : "",
    id: idOf(id),
    params: known,
    progressToken: isObject(meta) ? idOf(meta["progressToken"]) : undefined,
  };
}

export function idOf(value: unknown): RequestId | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** A refusal before any message of the protocol could be read. */
export function writeRefusal(outgoing: ServerResponse, error: HubError): void {
  const code = error.code === "BAD_JSON" ? PARSE_ERROR : INVALID_REQUEST;
  // What is left of the body will not be read.
  if (error.code === "BODY_TOO_LARGE") outgoing.setHeader("connection", "close");
  writeRpcError(outgoing, httpStatus(error.code), code, error.message, {
    code: error.code,
    ...error.details,
  });
}

/** A request whose parameters are not those of its method. Without `initialize` there is no connection: the request itself is wrong. */
export function writeParamsRefusal(
  outgoing: ServerResponse,
  { id, method }: RpcBody,
  issues: readonly { problem: string }[],
): void {
  const [status, code] = method === "initialize" ? [400, INVALID_REQUEST] : [200, INVALID_PARAMS];
  const problem = issues.map((issue) => issue.problem).join("; ");
  writeRpcError(outgoing, status, code, `${method}: ${problem}`, { code: "INVALID_INPUT", issues }, id);
}

export function writeRpcError(
  outgoing: ServerResponse,
  status: number,
  code: number,
  message: string,
  data?: unknown,
  id: RequestId | null = null,
): void {
  const json = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
  outgoing
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(json) })
    .end(json);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
