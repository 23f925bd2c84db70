import { z } from "zod";
import { agent, number, text } from "./parts.js";

const usage = z.object({
  inputTokens: number.optional(),
  outputTokens: number.optional(),
  costUsd: number.optional(),
});

const permission = z.object({
  id: text,
  agent,
  turn: text.nullable(),
  tool: text,
  title: text,
  act: text,
  /** As the agent gave them. */
  details: z.unknown(),
  options: z.array(z.object({ id: text, label: text, grants: text })).readonly(),
});

export const hostingEvents = {
  SpawnRequested: z.object({ agent, by: agent }),
  AgentStarted: z.object({ agent, session: text.optional(), resumed: z.boolean() }),
  SpawnFailed: z.object({ agent, code: text, error: text }),
  SessionChanged: z.object({ agent, session: text }),
  /** `retryInMs` is null when it is given up until the next message. */
  AgentCrashed: z.object({
    agent,
    why: text,
    exit: z.object({ code: number.nullable(), signal: text.nullable(), stderr: text }).optional(),
    failures: number,
    retryInMs: number.nullable(),
  }),
  AgentStopped: z.object({ agent, reason: text }),
  ShutdownRequested: z.object({ agent, by: agent, reason: text.optional() }),
  KillRequested: z.object({ agent, by: agent }),
  /** `text` is the end of what the agent said. */
  TurnEnded: z.object({
    agent,
    turn: text,
    stop: text,
    error: text.optional(),
    text,
    usage: usage.optional(),
    messages: number,
    thoughts: text.optional(),
    tools: z
      .array(z.object({ title: text, status: text }))
      .readonly()
      .optional(),
    plan: z
      .array(z.object({ text, status: text }))
      .readonly()
      .optional(),
  }),
  PermissionRequested: z.object({ permission, expiresAt: number.optional() }),
  PermissionAnswered: z.object({
    agent,
    permission: text,
    outcome: text,
    option: text.optional(),
    by: agent,
    reason: text.optional(),
  }),
} as const;
