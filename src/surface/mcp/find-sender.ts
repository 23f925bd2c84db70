import { findAgent } from "../../hub/rules/find-agent.js";
import type { AgentId } from "../../model/agent.js";
import type { ToolCall } from "./tool.js";

/** Whose mail is wanted: by name, or by the id of an agent, which is a session's too. */
export function findSender(sender: string | undefined, { ports }: ToolCall): AgentId | undefined {
  if (sender === undefined) return undefined;
  const { roster } = ports.views;
  return roster.byName(sender)?.id ?? roster.byId(sender)?.id ?? findAgent(ports.views, sender).id;
}
