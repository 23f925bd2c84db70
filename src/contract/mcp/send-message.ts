import { z } from "zod";
import { attentions } from "../../model/attention.js";
import { checkTyped, hasWords, leanFields, wordsMissing } from "../typed-fields.js";
import { adds, type ToolContract } from "./tool.js";

const replyTo = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .describe("tag or id of the message or request that this answers");

/** Fields without words: each byte is paid for in the context of every agent, and a refusal says what belongs to which type. */
const typedInput = z.strictObject({
  to: z.string().min(1).max(200),
  content: z.string().min(1).optional(),
  reply_to: replyTo,
  attention: z
    .enum(attentions)
    .optional()
    .describe("interrupt cuts their turn, queue (default) waits for it, fyi never starts one"),
  if_limited: z.enum(["hold", "reject"]).optional().describe("too soon after the last: hold or refuse"),
  type: z
    .enum(["status", "coordination", "pr-review"])
    .optional()
    .describe("coordination has action, task; pr-review has repo, branch, pr; content may be left out"),
  ...leanFields,
});

export const sendMessage = {
  name: "send_message",
  description:
    "Send a message to an agent, or to the person as `user`. Returns at once; delivered means durably in their inbox, not read. An answer comes as a message.",
  input: typedInput
    .refine((said) => hasWords(said, said.content), wordsMissing("content"))
    .superRefine((said, refuse) => checkTyped(said, said.content, refuse)),
  annotations: adds,
} as const satisfies ToolContract;

export const sendMessageOfAgents = {
  name: "send_message",
  description: "Send a direct message to a specific agent.",
  input: z.strictObject({
    to: z.string().min(1).max(200).describe("target agent name"),
    content: z.string().min(1).describe("message body"),
    reply_to: replyTo,
  }),
  annotations: adds,
} as const satisfies ToolContract;
