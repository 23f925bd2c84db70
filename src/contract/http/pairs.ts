import { z } from "zod";
import { pairActions } from "../../model/pair.js";
import type { RouteContract } from "./route.js";

const pairView = z.object({
  from: z.string(),
  to: z.string(),
  per_minute: z.number().describe("The average of the last five minutes"),
  minutes: z
    .array(z.number())
    .describe("Messages in each of the last ten minutes, oldest first; the last minute is not over"),
  sent_last_minute: z.number().describe("Within the last 60 seconds: what counts for the cap (9.6)"),
  cap: z.number().nullable().describe("Most within 60 seconds; null: the person has none"),
  level: z.number().describe("Of the cooldown (9.6), 0 to 5"),
  next_ms: z
    .number()
    .describe("How long a message sent now would be held by the cooldown of those before it"),
  paused: z.boolean(),
  held: z.number().describe("How many messages of it are held now, whatever for"),
  last: z.string().nullable().describe("When the newest message was sent"),
});

const decision = z.strictObject({
  action: z
    .enum(pairActions)
    .describe(
      "`pause`: what comes is held (`paused`) until `resume`. `reset`: the cooldown begins anew, and what it holds can be read",
    ),
});

export const pairRoutes = {
  list: {
    method: "GET",
    path: "/api/pairs",
    summary: "Who writes to whom, how fast, and what is held back, for each direction of each pair",
    access: "operator",
    status: 200,
    response: z.object({ pairs: z.array(pairView) }),
  },
  decide: {
    method: "POST",
    path: "/api/pairs/:from/:to",
    summary: "Pause or resume one direction of a pair, or reset its cooldown",
    access: "operator",
    body: decision,
    status: 200,
    response: z.object({
      from: z.string(),
      to: z.string(),
      paused: z.boolean(),
      released: z.number().describe("How many held messages can be read now"),
    }),
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS", "TARGET_INVALID"],
  },
} as const satisfies Record<string, RouteContract>;
