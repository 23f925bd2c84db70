import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { answerToolCall, calledTool } from "./answer-tool-call.js";
import { createServer } from "./create-server.js";
import { createExchangeTransport } from "./exchange-transport.js";
import { writeRpcError } from "./rpc-body.js";
import type { Served } from "./served.js";
import { openSink } from "./sink.js";

const SERVER_ERROR = -32000;

/** Clients of 2025: a new server and transport for each message, no session. */
export async function serveLegacy(served: Served): Promise<void> {
  const { incoming, outgoing, body } = served;
  const { accept = "" } = incoming.headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) {
    const problem = "Not Acceptable: Client must accept both application/json and text/event-stream";
    return writeRpcError(outgoing, 406, SERVER_ERROR, problem);
  }
  const version = incoming.headers["mcp-protocol-version"];
  if (
    typeof version === "string" &&
    body.method !== "initialize" &&
    !SUPPORTED_PROTOCOL_VERSIONS.includes(version)
  ) {
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(", ");
    const problem = `Bad Request: Unsupported protocol version: ${version.slice(0, 80)} (supported versions: ${supported})`;
    return writeRpcError(outgoing, 400, SERVER_ERROR, problem);
  }
  const { message, id } = body;
  const tool = calledTool(served);
  if (tool !== undefined && id !== undefined) return answerToolCall(served, tool, id);
  if (isJSONRPCRequest(message)) return dispatch(served, message);
  // Notifications tell us nothing that we act on here; answers were asked for by nobody.
  outgoing.writeHead(202).end();
}

/** Everything but the calls of tools is left to the protocol's own server. */
async function dispatch(served: Served, message: JSONRPCMessage): Promise<void> {
  const server = createServer(served);
  const transport = createExchangeTransport(openSink(served));
  await server.connect(transport);
  // Otherwise it would run on after its client left.
  served.signal.addEventListener("abort", () => void server.close());
  transport.receive(message);
}
