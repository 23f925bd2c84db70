import { z } from "zod";
import { agent, number, text } from "./parts.js";

export const agentEvents = {
  AgentRegistered: z.object({
    agent,
    name: text,
    role: text,
    team: text,
    project: text.nullable(),
    model: text.nullable(),
    backend: text.nullable(),
    heartbeat: z.boolean(),
    attention: text.optional(),
    parent: agent.optional(),
    depth: number.optional(),
    runtime: text.optional(),
    instance: text.optional(),
    permissions: text.optional(),
    adopted: z.object({ target: text, socket: text.optional(), pid: number.optional() }).optional(),
  }),
  /** `heldUntil`: until this hub time the old name is kept for it. */
  AgentRenamed: z.object({ agent, from: text, to: text, heldUntil: number }),
  AgentUpdated: z.object({
    agent,
    project: text.optional(),
    team: text.optional(),
    model: text.optional(),
    attention: text.optional(),
  }),
  AgentDeregistered: z.object({ agent, name: text, reason: text }),
  NameReleased: z.object({ name: text, agent }),
  /** `lastSeen`: of one that fell silent, the time of its last sign of life. */
  PresenceChanged: z.object({ agent, status: text, evidence: text, lastSeen: number.optional() }),
} as const;
