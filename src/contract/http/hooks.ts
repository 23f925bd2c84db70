import { z } from "zod";
import { hookMoments } from "../../model/hook.js";
import type { RouteContract } from "./route.js";

const hookBody = z.strictObject({
  moment: z
    .enum(hookMoments)
    .describe(
      "`start`: a session begins, and the text stands beside its first prompt. `context`: a turn runs, and the text stands beside what the model reads next. `stop`: a turn is about to end, and the text keeps it going. `idle`: the program waits, and the text starts a turn",
    ),
  seen: z
    .array(z.string().min(1).max(100_000))
    .max(100)
    .optional()
    .describe(
      "The words that earlier answers, also those of `check_messages`, had as `ack`: what they held has arrived (evidence `hook`)",
    ),
  new_only: z
    .boolean()
    .optional()
    .describe(
      "For `stop`: only what was never handed out is worth a turn, since the turn was kept going before",
    ),
  pointer: z
    .boolean()
    .optional()
    .describe("Nothing is handed out: the text only says who wrote, and to call `check_messages`"),
  after: z
    .enum(["resume", "compact"])
    .optional()
    .describe(
      "For `start` and `context`: the session was taken up again, or its context was compacted; the text also says who the agent is and what it owes (24)",
    ),
  wait: z
    .number()
    .min(0)
    .optional()
    .describe("For `idle`: seconds to wait until there is something, cut to `inbox.wait_max`"),
});

const hookMail = z.object({
  text: z.string().nullable(),
  ack: z.string().nullable(),
  messages: z.array(z.string()),
  more: z.number(),
  over: z.boolean(),
});

export const hookRoutes = {
  hand: {
    method: "POST",
    path: "/api/inbox/hook",
    summary: "Mail as a hook of an agent's program hands it over; with `wait`, once there is some",
    access: "member",
    body: hookBody,
    status: 200,
    response: hookMail,
    errors: ["TOO_MANY_READERS"],
  },
} as const satisfies Record<string, RouteContract>;
