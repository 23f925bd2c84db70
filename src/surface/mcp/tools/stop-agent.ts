import * as contract from "../../../contract/mcp/stop-agent.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { isOrchestrator } from "../roles.js";
import { defineTool } from "../tool.js";

/** Tools answer within ten seconds. */
const PATIENCE_MS = 9000;

export const shutdownAgent = defineTool(contract.shutdownAgent, {
  isFor: isOrchestrator,
  onError: { acknowledged: false },
  run: (input, { ports, me }) =>
    ports.hosting.shutdown({
      agent: findAgent(ports.views, input.agent, me).id,
      by: me,
      reason: input.reason,
      waitMs: PATIENCE_MS,
    }),
});

export const killAgent = defineTool(contract.killAgent, {
  isFor: isOrchestrator,
  onError: { killed: false },
  run: (input, { ports, me }) =>
    ports.hosting.kill({ agent: findAgent(ports.views, input.agent, me).id, by: me, waitMs: PATIENCE_MS }),
});
