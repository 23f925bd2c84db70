import { z } from "zod";
import { adoptedPane, agent, number, text } from "./parts.js";

export const agentEvents = {
  AgentRegistered: z
    .object({
      agent,
      name: text,
      label: text.optional(),
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
      tools: text.optional(),
      adopted: adoptedPane.optional(),
    })
    .describe("An agent joined. `parent` created it (17.1); with a `runtime` the hub runs it (20)"),
  AgentRenamed: z
    .object({
      agent,
      from: text,
      to: text,
      heldUntil: number,
      fromTeam: text.optional(),
      toTeam: text.optional(),
    })
    .describe(
      "It has another name or team (`toTeam`); until `heldUntil` (hub time) the old name is kept for it in the old team",
    ),
  AgentUpdated: z
    .object({
      agent,
      project: text.optional(),
      team: text.optional(),
      model: text.optional(),
      attention: text.optional(),
      label: text.nullable().optional(),
    })
    .describe("What it was registered with changed: those fields that were given"),
  AgentDeregistered: z
    .object({ agent, name: text, reason: text })
    .describe(
      "It left. `reason`: `left` (by itself), `removed` (by the operator); of one that the hub ran also `shutdown`, `killed`, `failed` (it never started)",
    ),
  NameReleased: z
    .object({ name: text, team: text.optional(), agent })
    .describe("The grace of a given-up name ended"),
  PresenceChanged: z
    .object({
      agent,
      status: text,
      evidence: text,
      lastSeen: number.optional(),
      until: number.optional(),
    })
    .describe(
      "It fell silent, or came back. `lastSeen` (ms since 1970) is when it was last heard of before that; `until` (ms since 1970) when its vendor's usage limit ends, of one that is `limited`",
    ),
} as const;
