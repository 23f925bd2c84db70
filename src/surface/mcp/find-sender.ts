import { findKnown } from "../../hub/rules/find-recipient.js";
import type { AgentId } from "../../model/agent.js";
import type { ToolCall } from "./tool.js";

/** Whose mail is wanted: by name, or by the id of an agent, which is a session's too. */
export function findSender(sender: string | undefined, { ports, me }: ToolCall): AgentId | undefined {
  return sender === undefined ? undefined : findKnown(ports.views, sender, me).id;
}
