import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { nearest } from "../../model/nearest.js";
import type { Definitions } from "./definitions.js";
import { getPrompt, listPrompts } from "./prompts.js";
import { readResource, resourceList } from "./resources.js";
import { runTool } from "./run-tool.js";
import type { ToolCall } from "./tool.js";

/** What one request is about; the rest comes from the protocol once it is dispatched. */
export type ServedRequest = {
  method: string;
  call: Omit<ToolCall, "signal" | "progress">;
  definitions: Definitions;
  instructions: string;
  version: string;
};

const capabilities = { tools: {}, prompts: {}, resources: {} };
/** Nothing that a client answers is ever validated by us; the usual validator is expensive to make. */
const jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not used" }),
};
/** Lists differ by caller, and change when the hub is upgraded. */
const hint = { ttlMs: 60_000, cacheScope: "private" as const };
const cacheHints = { "tools/list": hint, "prompts/list": hint, "resources/list": hint };

/** A server for one request. It knows only the method that is asked for: setting up all of them would cost as much as answering. */
export function createServer({ method, call, definitions, instructions, version }: ServedRequest): Server {
  const server = new Server(
    { name: "huddle", version },
    { capabilities, instructions, jsonSchemaValidator, cacheHints },
  );
  switch (method) {
    case "tools/call":
      server.setRequestHandler("tools/call", ({ params }, context) => {
        const tool = definitions.find(params.name);
        if (tool === undefined) throw unknownTool(params.name, definitions.names);
        return runTool(tool, params.arguments ?? {}, toolCall(call, context));
      });
      break;
    case "tools/list":
      server.setRequestHandler("tools/list", () => ({ tools: definitions.list(call.caller) }));
      break;
    case "prompts/list":
      server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(definitions.names) }));
      break;
    case "prompts/get":
      server.setRequestHandler("prompts/get", ({ params }) =>
        getPrompt(definitions.names, params.name, params.arguments),
      );
      break;
    case "resources/list":
      server.setRequestHandler("resources/list", () => ({ resources: resourceList }));
      break;
    case "resources/templates/list":
      server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
      break;
    case "resources/read":
      server.setRequestHandler("resources/read", ({ params }, context) =>
        readResource(params.uri, toolCall(call, context)),
      );
      break;
  }
  return server;
}

function toolCall(call: ServedRequest["call"], { mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    ...call,
    signal: mcpReq.signal,
    progress(progress, total) {
      if (progressToken === undefined) return;
      mcpReq
        .notify({ method: "notifications/progress", params: { progressToken, progress, total } })
        .catch((error: unknown) => call.ports.logError(error, "progress of a tool call"));
    },
  };
}

function unknownTool(name: string, available: readonly string[]): ProtocolError {
  const meant = nearest(name, available);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 200)}`, {
    code: "TOOL_NOT_FOUND",
    available,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  });
}
