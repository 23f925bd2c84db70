import { z } from "zod";
import { task } from "../typed-fields.js";
import { messageId } from "./messages.js";
import type { RouteContract } from "./route.js";

export const handoffBody = z.strictObject({
  to: z
    .string()
    .min(1)
    .max(200)
    .describe("The agent that takes it over, here or on a linked hub: `bob@mini`"),
  task: task.describe("What it is about: one line, without spaces around it"),
  summary: z
    .string()
    .min(1)
    .max(64 * 1024)
    .describe("How far it is, and what is left"),
  files: z.array(z.string().min(1).max(1000)).max(100).optional().describe("Paths that the other one needs"),
  forward: z
    .boolean()
    .optional()
    .describe("Mail to the agent goes to the other one from now on, but for the person's; default `false`"),
  id: messageId.optional().describe("Chosen by the sender, so that a retry is safe; default: a new UUIDv7"),
});

export const handoffRoutes = {
  handOff: {
    method: "POST",
    path: "/api/agents/:name/handoff",
    summary:
      "Hand a task over to another agent: a message with what it needs, and what was claimed. An agent hands over its own, the operator anybody's",
    access: "member",
    body: handoffBody,
    status: 202,
    response: z.object({
      delivered: z.literal(true),
      target: z.string(),
      message_id: z.string(),
      seq: z.number(),
      state: z.enum(["accepted", "held"]),
      reason: z.string().optional(),
      delayed_ms: z.number(),
      passed: z
        .object({ work: z.array(z.string()), requests: z.array(z.string()), kept: z.array(z.string()) })
        .describe("What is the other one's now, and what it may not have"),
    }),
    errors: [
      "FORBIDDEN",
      "AGENT_NOT_FOUND",
      "HUB_NOT_FOUND",
      "AGENT_GONE",
      "NAME_AMBIGUOUS",
      "SELF_SEND",
      "ID_REUSED",
      "INBOX_FULL",
      "RATE_LIMITED",
      "CONVERSATION_FROZEN",
    ],
  },
} as const satisfies Record<string, RouteContract>;
