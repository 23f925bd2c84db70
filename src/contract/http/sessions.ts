import { z } from "zod";
import { runtimeKinds } from "../../model/hosting.js";
import { messageSources } from "../../model/message.js";
import { toolsetNames } from "../../model/toolset.js";
import type { RouteContract } from "./route.js";

const path = z.string().max(4096).regex(/^\//, "must be an absolute path");

export const createSessionBody = z.strictObject({
  cwd: path.describe("An absolute path: the agent's `project`"),
  model: z.string().min(1).max(200).optional().describe("See 5.1"),
  backend: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "See 20.1; with one the hub runs the session. Default: the caller's own, else `default_backend`",
    ),
  runtime: z.enum(runtimeKinds).optional().describe("See 20.1"),
  tools: z.enum(toolsetNames).optional().describe("See 20.1"),
  name: z.string().min(1).max(200).optional().describe("See 5.1"),
  initialMessage: z
    .string()
    .min(1)
    .optional()
    .describe("Sent to it by the caller; if that is refused, the session is not made"),
});

export const sessionCreated = z.object({
  sessionId: z.string(),
  name: z.string(),
  cwd: z.string(),
  token: z.string().optional(),
});

const sessionMessageBody = z.strictObject({
  message: z.string().min(1).describe("The content"),
  source: z
    .enum(messageSources)
    .optional()
    .describe("Counts for the operator only: what an agent sends is from an agent"),
  applet: z.string().min(1).max(200).optional().describe("Which one; for the operator only"),
  fromSession: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("May repeat the caller's own id and nothing else"),
});

const dispatched = z.object({ messageId: z.string(), status: z.literal("dispatched") });

export const sessionState = z.object({
  sessionId: z.string(),
  status: z.enum(["idle", "streaming", "error"]),
  lastMessage: z
    .object({ role: z.enum(["user", "assistant"]), content: z.string(), timestamp: z.string() })
    .nullable(),
  cwd: z.string().nullable(),
  isActive: z.boolean(),
});

export const sessionRoutes = {
  create: {
    method: "POST",
    path: "/api/sessions",
    summary:
      "Create a session: on a backend the hub runs it; where none is chosen it is an inbox, and its token is returned.",
    access: "member",
    body: createSessionBody,
    status: 201,
    response: sessionCreated,
    errors: [
      "NAME_INVALID",
      "NAME_RESERVED",
      "DEPTH_LIMIT",
      "CONVERSATION_FROZEN",
      "BACKEND_UNKNOWN",
      "BACKEND_MISSING",
      "RUNTIME_UNAVAILABLE",
      "PROJECT_NOT_ALLOWED",
      "HOSTED_LIMIT",
      "TARGET_INVALID",
      "SPAWN_FAILED",
    ],
  },
  send: {
    method: "POST",
    path: "/api/sessions/:id/messages",
    summary: "Send a message to a session; answered once it is on disk, whether or not anybody watches",
    access: "member",
    body: sessionMessageBody,
    status: 202,
    response: dispatched,
    errors: [
      "SESSION_NOT_FOUND",
      "SELF_SEND",
      "SENDER_MISMATCH",
      "RATE_LIMITED",
      "INBOX_FULL",
      "AGENT_GONE",
      "CONVERSATION_FROZEN",
    ],
  },
  state: {
    method: "GET",
    path: "/api/sessions/:id/state",
    summary:
      "Whether a session is idle, streaming or in error, and what was said last, for those who may read it",
    access: "member",
    status: 200,
    response: sessionState,
    errors: ["SESSION_NOT_FOUND", "AGENT_GONE"],
  },
} as const satisfies Record<string, RouteContract>;
