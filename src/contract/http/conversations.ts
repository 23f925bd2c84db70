import { z } from "zod";
import { messageWords } from "./message-words.js";
import type { RouteContract } from "./route.js";

const states = z.enum(["open", "paused", "frozen"]);

/** How far agents came in answering each other, of what they may, and what waits. */
export const conversationFacts = z.object({
  participants: z.array(z.string()),
  hops: z.number(),
  hops_most: z.number(),
  messages: z.number(),
  messages_most: z.number(),
  held: z.number(),
  /** Null where it was pruned. */
  first: messageWords.nullable(),
  last: messageWords.nullable(),
});

const conversationView = z.object({
  id: z.string(),
  state: states,
  hop: z.number().describe("The highest; `hops` are those since the person last let it go on"),
  ...conversationFacts.shape,
});

const conversationsQuery = z.strictObject({
  state: states.default("paused"),
  id: z.string().min(1).max(128).optional().describe("Only this one, whatever its state"),
  limit: z.number().int().min(1).max(200).default(200),
});

const conversationDecision = z.strictObject({
  decision: z
    .enum(["continue", "freeze"])
    .describe(
      "`continue` releases what waits and gives a new budget; `freeze` fails what waits, and ends it",
    ),
});

export const conversationRoutes = {
  list: {
    method: "GET",
    path: "/api/conversations",
    summary: "Conversations that wait for the person (or of another state)",
    access: "operator",
    query: conversationsQuery,
    status: 200,
    response: z.object({ conversations: z.array(conversationView) }),
  },
  decide: {
    method: "POST",
    path: "/api/conversations/:id",
    summary: "Let a conversation go on with a new budget, or end it",
    access: "operator",
    body: conversationDecision,
    status: 200,
    response: z.object({
      conversation: z.string(),
      state: states,
      messages: z.number(),
    }),
    errors: ["CONVERSATION_NOT_FOUND"],
  },
} as const satisfies Record<string, RouteContract>;
