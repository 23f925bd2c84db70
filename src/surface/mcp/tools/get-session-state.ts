import * as contract from "../../../contract/mcp/get-session-state.js";
import { sessionState } from "../../sessions.js";
import { defineTool } from "../tool.js";

export const getSessionState = defineTool(contract.getSessionState, {
  run: ({ sessionId }, { ports }) => sessionState(ports, sessionId),
});
