import * as contract from "../../../contract/mcp/get-session-state.js";
import { viewerOf } from "../../caller/auth.js";
import { sessionState } from "../../sessions.js";
import { defineTool } from "../tool.js";

export const getSessionState = defineTool(contract.getSessionState, {
  run: ({ sessionId }, { ports, caller }) => sessionState(ports, sessionId, viewerOf(caller)),
});
