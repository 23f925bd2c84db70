import { z } from "zod";
import { shutdownBody } from "../../../contract/http/hosting.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { isOrchestrator } from "../roles.js";
import { type Annotations, defineTool } from "../tool.js";

/** Tools answer within ten seconds. */
const PATIENCE_MS = 9000;

const ends: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

const agent = z.string().min(1).max(200).describe("agent name, from list_agents");

export const shutdownAgent = defineTool({
  name: "shutdown_agent",
  description: "Graceful shutdown: the agent finishes its current work, then exits.",
  input: z.strictObject({ agent, reason: shutdownBody.shape.reason }),
  annotations: ends,
  isFor: isOrchestrator,
  onError: { acknowledged: false },
  run: (input, { ports, me }) =>
    ports.hosting.shutdown({
      agent: findAgent(ports.views, input.agent).id,
      by: me,
      reason: input.reason,
      waitMs: PATIENCE_MS,
    }),
});

export const killAgent = defineTool({
  name: "kill_agent",
  description: "Force kill: SIGTERM, then SIGKILL after 5 s. Its unread mail fails.",
  input: z.strictObject({ agent }),
  annotations: ends,
  isFor: isOrchestrator,
  onError: { killed: false },
  run: (input, { ports, me }) =>
    ports.hosting.kill({ agent: findAgent(ports.views, input.agent).id, by: me, waitMs: PATIENCE_MS }),
});
