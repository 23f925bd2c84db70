import { z } from "zod";
import { messageId } from "../http/messages.js";

/* What daemons of document 004 say to each other: `POST /agent/message` and `GET /agent/status`. */

const peerStatuses = ["idle", "busy", "offline"] as const;

const word = z.string().min(1).max(500);

/** Top-level fields of the types, in the words of document 004. A field that another daemon adds is carried past, not refused. */
export const agentMessage = z
  .object({
    from: z.string().min(1).max(200).describe("The name of the sending daemon: one of the receiver's peers"),
    type: z.enum(["text", "status", "coordination", "pr-review"]),
    text: z.string().optional(),
    context: z.string().optional(),
    callbackUrl: z.url().max(2000).optional(),
    timestamp: z.iso.datetime({ offset: true, local: true }),
    messageId,
    to: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("An agent there; default: whoever gets what names nobody"),
    replyTo: messageId.optional(),
    status: z.enum(peerStatuses).optional(),
    action: z.enum(["claim", "release"]).optional(),
    task: word.optional(),
    repo: word.optional(),
    branch: word.optional(),
    pr: z.union([z.number().int().positive(), z.string().regex(/^#?\d{1,9}$/)]).optional(),
  })
  .superRefine((message, context) => {
    for (const field of neededBy[message.type]) {
      if (message[field] !== undefined && message[field] !== "") continue;
      context.addIssue({
        code: "custom",
        path: [field],
        message: `is missing: type "${message.type}" needs it`,
      });
    }
  });

const neededBy = {
  text: ["text"],
  status: ["status"],
  coordination: ["action", "task"],
  "pr-review": ["repo"],
} as const;

export type AgentMessage = z.output<typeof agentMessage>;

/** `queued`: the agent is busy, and reads it when it is done. */
export const agentMessageResponse = z.object({
  ok: z.boolean(),
  queued: z.boolean(),
  error: z.string().optional(),
});

export type AgentMessageResponse = z.output<typeof agentMessageResponse>;

export const agentStatusAnswer = z.object({
  ok: z.literal(true),
  name: z.string(),
  status: z.enum(peerStatuses),
  at: z.string().describe("ISO 8601"),
});
