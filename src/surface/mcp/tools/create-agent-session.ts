import * as contract from "../../../contract/mcp/create-agent-session.js";
import { spawnSession } from "../../sessions.js";
import { repeatableId } from "../repeatable-id.js";
import { defineTool } from "../tool.js";

/**
 * Never one that is only an inbox: its token would be for the model to read. It has the tools of its creator, so that it can
 * do what it is told to: call send_agent_message with its creator's session id.
 */
export const createAgentSession = defineTool(contract.createAgentSession, {
  run: (input, { ports, me, id }) =>
    spawnSession(ports, {
      ...input,
      tools: "sessions",
      creator: me,
      id: repeatableId(id, "session"),
      messageId: id,
    }),
});
