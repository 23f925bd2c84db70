import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { ToolCall } from "./tool.js";
import { checkMessages } from "./tools/check-messages.js";
import { listAgents } from "./tools/list-agents.js";

/** What a client can put into a conversation without calling a tool. Reading mail this way hands it out like any other. */
const resources = [
  { uri: "huddle://inbox", name: "inbox", description: "Your unread messages", tool: checkMessages },
  { uri: "huddle://agents", name: "agents", description: "Who is here", tool: listAgents },
];

const mimeType = "application/json";

export const resourceList = resources.map(({ uri, name, description }) => ({
  uri,
  name,
  description,
  mimeType,
}));

export async function readResource(uri: string, call: ToolCall) {
  const resource = resources.find((known) => known.uri === uri);
  if (resource === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType, text: JSON.stringify(await resource.tool.run({}, call)) }] };
}
