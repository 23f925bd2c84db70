import * as contract from "../../../contract/mcp/create-agent-session.js";
import { spawnSession } from "../../sessions.js";
import { repeatableId } from "../repeatable-id.js";
import { defineTool } from "../tool.js";

/** Never one that is only an inbox: its token would be for the model to read. */
export const createAgentSession = defineTool(contract.createAgentSession, {
  run: (input, { ports, me, id }) =>
    spawnSession(ports, { ...input, creator: me, id: repeatableId(id, "session"), messageId: id }),
});
