import { z } from "zod";
import type { RouteContract } from "./route.js";

const conversationView = z.object({
  id: z.string(),
  state: z.enum(["open", "paused", "frozen"]),
  messages: z.number(),
  hop: z.number(),
});

const conversationsQuery = z.strictObject({ state: z.enum(["open", "paused", "frozen"]).default("paused") });

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
      state: z.enum(["open", "paused", "frozen"]),
      messages: z.number(),
    }),
    errors: ["CONVERSATION_NOT_FOUND"],
  },
} as const satisfies Record<string, RouteContract>;
