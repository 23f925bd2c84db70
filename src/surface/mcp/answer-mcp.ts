import type { HubPorts } from "../ports.js";
import type { McpCall } from "./serve-mcp.js";

/** Answers calls of MCP. What serves them comes with the first: the protocol's library is a third of a hub's start. */
export function createAnswerMcp(ports: HubPorts): (call: McpCall) => Promise<void> {
  let loading: ReturnType<typeof load> | undefined;
  return async (call) => {
    loading ??= load(ports);
    const serve = await loading;
    await serve(call);
  };
}

async function load(ports: HubPorts) {
  const { createServeMcp } = await import("./serve-mcp.js");
  return createServeMcp(ports);
}
