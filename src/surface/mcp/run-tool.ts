import type { CallToolResult } from "@modelcontextprotocol/server";
import { toHubError } from "../answers/error-answer.js";
import type { Tool, ToolCall } from "./tool.js";

/** One text block that holds JSON: the only form that every client shows to its model. */
export async function runTool(tool: Tool, args: unknown, call: ToolCall): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: JSON.stringify(await tool.run(args, call)) }] };
  } catch (thrown) {
    const error = call.ports.explain(thrown);
    const known = toHubError(error);
    if (known !== error) call.ports.logError(error, `tool ${tool.name}`);
    const refusal = { error: known.message, code: known.code, ...tool.onError, ...known.details };
    return { content: [{ type: "text", text: JSON.stringify(refusal) }], isError: true };
  }
}
