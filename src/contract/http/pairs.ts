import { z } from "zod";
import { heldReasons } from "../../model/held.js";
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
  held_for: z
    .array(z.object({ reason: z.enum(heldReasons), messages: z.number() }))
    .describe("The same by what they are held for (29.3)"),
  last: z.string().nullable().describe("When the newest message was sent"),
  message: z.string().nullable().describe("The newest message that is known, and its conversation (9.7)"),
  conversation: z.string().nullable(),
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
    response: z.object({
      pairs: z.array(pairView),
      unattended: z
        .object({ messages: z.number(), most: z.number() })
        .describe(
          "Messages between agents in this hour without a word of the person's; at `most` the backstop holds (9.7)",
        ),
    }),
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
