import * as contract from "../../../contract/mcp/get-session-state.js";
import { quoteBlock } from "../../../model/others-words.js";
import { viewerOf } from "../../caller/auth.js";
import { sessionState } from "../../sessions.js";
import { defineTool } from "../tool.js";

export const getSessionState = defineTool(contract.getSessionState, {
  run({ sessionId }, { ports, caller }) {
    const state = sessionState(ports, sessionId, viewerOf(caller));
    const last = state.lastMessage;
    if (last === null) return state;
    return { ...state, lastMessage: { ...last, content: quoteBlock(last.content) } };
  },
});
