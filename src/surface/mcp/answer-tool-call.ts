import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { RequestId } from "./calls-in-flight.js";
import { isObject } from "./rpc-body.js";
import { runTool } from "./run-tool.js";
import type { Served } from "./served.js";
import { openSink } from "./sink.js";
import type { Tool } from "./tool.js";

/** The tool that a request in the usual form calls; what is wrong about any other is for the protocol's own server to say. */
export function calledTool({ body: { method, params }, era, definitions }: Served): Tool | undefined {
  const { name, arguments: args = {} } = params;
  const isCall = era !== undefined && method === "tools/call" && typeof name === "string" && isObject(args);
  return isCall ? definitions.find(name) : undefined;
}

/** Most requests by far: a server of the protocol's own for each would cost more than the tool. */
export async function answerToolCall(served: Served, tool: Tool, id: RequestId): Promise<void> {
  const { body, call, signal, era, version } = served;
  const { progressToken } = body;
  const sink = openSink(served);
  const result = await runTool(tool, body.params["arguments"] ?? {}, {
    ...call,
    signal,
    progress(progress, total) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total };
      sink.tell({ jsonrpc: "2.0", method: "notifications/progress", params });
    },
  });
  if (signal.aborted) return;
  const stamp =
    era === "2026"
      ? { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: { name: "huddle", version } } }
      : {};
  sink.answer({ jsonrpc: "2.0", id, result: { ...result, ...stamp } });
}
