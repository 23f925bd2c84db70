import type { IncomingMessage, ServerResponse } from "node:http";
import { classifyInboundRequest, type InboundHttpRequest } from "@modelcontextprotocol/server";
import { HubError } from "../../model/errors.js";
import type { ToolsetName } from "../../model/toolset.js";
import { type Caller, memberId } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";
import { calledTool } from "./answer-tool-call.js";
import { longestCall } from "./call-limit.js";
import { createCallsInFlight } from "./calls-in-flight.js";
import { checkParams } from "./check-params.js";
import { createConnections, parseCallName, parseCount } from "./connections.js";
import { createDefinitions } from "./definitions.js";
import { greet } from "./greet.js";
import { repeatableId } from "./repeatable-id.js";
import { idOf, type RpcBody, readRpc, writeParamsRefusal, writeRefusal } from "./rpc-body.js";
import { serveLegacy } from "./serve-legacy.js";
import { createServeModern } from "./serve-modern.js";
import { type EraHeaders, usualForm } from "./usual-form.js";
import { asVisitor, checkVisit } from "./visitor.js";

/** Whose inbox a visitor has. */
const NOBODY = "";
/** The methods whose answers hold the instructions, one of each era. */
const greets: ReadonlySet<string> = new Set(["initialize", "server/discover"]);
/** The only tool that has something to tell before its answer. */
const WAITS = "wait_for_message";

export type McpCall = {
  caller: Caller;
  set: ToolsetName;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
};

/** Reads one message, notes what it proves, and has it answered by a server of its own. */
export function createServeMcp(ports: HubPorts): (call: McpCall) => Promise<void> {
  const { limits } = ports;
  const jsonLimits = { depth: limits.jsonDepth, keys: limits.jsonKeys };
  const definitions = createDefinitions(ports);
  const connections = createConnections(ports.now, limits.reofferAfterMs);
  const inFlight = createCallsInFlight();
  // Refusals of clients' mistakes: the client is told, nobody else needs to be.
  const serveModern = createServeModern(() => {});
  let version: string | undefined;

  return async (call) => {
    let body: RpcBody;
    try {
      body = await readRpc(call.incoming, limits.bodyBytes, jsonLimits);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      writeRefusal(call.outgoing, error);
      return;
    }
    const caller = asVisitor(call.caller, header(call.incoming, "huddle-unregistered") !== undefined);
    if (body.method === "notifications/cancelled" && caller.kind !== "join") {
      const id = idOf(body.params["requestId"]);
      if (id !== undefined) inFlight.cancel(memberId(caller), id);
    }
    await serve(body, { ...call, caller });
  };

  async function serve(body: RpcBody, { caller, set, incoming, outgoing }: McpCall): Promise<void> {
    const { method, id, params, progressToken } = body;
    const offered = definitions(set, caller);
    checkVisit(caller, method, offered);
    const isVisit = caller.kind === "join";
    const me = isVisit ? NOBODY : memberId(caller);
    const callName = id === undefined || isVisit ? undefined : parseCallName(header(incoming, "huddle-call"));
    const exchange = connections.begin({
      agent: me,
      call: callName,
      written: parseCount(header(incoming, "huddle-written")),
      isToolCall: method === "tools/call",
    });
    const hangUp = new AbortController();
    const done = id === undefined ? () => {} : inFlight.add(me, id, () => hangUp.abort());
    outgoing.once("close", () => {
      done();
      const isAnswered = outgoing.writableFinished && !hangUp.signal.aborted;
      exchange.end(isAnswered ? "answered" : "lost");
      if (!isAnswered) hangUp.abort();
    });
    if (exchange.proven.length > 0) {
      await ports.execute("proveArrival", { agent: me, seqs: exchange.proven, evidence: "next_call" });
    }
    if (hangUp.signal.aborted) {
      outgoing.end();
      return;
    }
    version ??= ports.health().version;
    const headers = eraHeaders(incoming);
    const era = usualForm(body, headers);
    const served = {
      body,
      era,
      method,
      version,
      incoming,
      outgoing,
      signal: hangUp.signal,
      streams: progressToken !== undefined && params["name"] === WAITS,
      definitions: offered,
      instructions: greets.has(method)
        ? greet({
            set,
            caller,
            client: header(incoming, "huddle-client"),
            wished: header(incoming, "huddle-name"),
          })
        : "",
      call: {
        ports,
        caller,
        me,
        id: callName && repeatableId(`${me} ${callName.instance}:${callName.n}`, "message"),
        rereads: exchange.rereads,
        longestMs: longestCall(header(incoming, "huddle-client"), progressToken !== undefined),
        waitedMs: parseCount(header(incoming, "huddle-waited")),
        handedOut: exchange.handedOut,
      },
    };
    const problems = id === undefined || calledTool(served) !== undefined ? [] : checkParams(body);
    if (problems.length > 0) writeParamsRefusal(outgoing, body, problems);
    else if (era === "2025" || (era === undefined && isLegacy(body, headers))) await serveLegacy(served);
    else await serveModern(served);
  }
}

function header(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name];
  return typeof value === "string" ? value : undefined;
}

function eraHeaders(incoming: IncomingMessage): EraHeaders {
  return {
    version: header(incoming, "mcp-protocol-version"),
    method: header(incoming, "mcp-method"),
    name: header(incoming, "mcp-name"),
  };
}

/** Whether a message in an unusual form is for those who serve clients of 2025. */
function isLegacy({ message }: RpcBody, { version, method, name }: EraHeaders): boolean {
  const request: InboundHttpRequest = { httpMethod: "POST", body: message };
  if (version !== undefined) request.protocolVersionHeader = version;
  if (method !== undefined) request.mcpMethodHeader = method;
  if (name !== undefined) request.mcpNameHeader = name;
  return classifyInboundRequest(request).kind === "legacy";
}
