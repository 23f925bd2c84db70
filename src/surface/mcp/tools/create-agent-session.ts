import * as contract from "../../../contract/mcp/create-agent-session.js";
import { createSession } from "../../sessions.js";
import { repeatableId } from "../repeatable-id.js";
import { defineTool } from "../tool.js";

export const createAgentSession = defineTool(contract.createAgentSession, {
  run: (input, { ports, me, id }) =>
    createSession(ports, {
      ...input,
      backend: input.backend ?? ports.hosting.ownBackend(me),
      creator: me,
      id: repeatableId(id, "session"),
      messageId: id,
    }),
});
