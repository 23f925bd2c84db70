import { z } from "zod";
import { hookMoments } from "../../model/hook.js";
import type { RouteContract } from "./route.js";

const hookBody = z.strictObject({
  moment: z.enum(hookMoments),
  /** Words that earlier answers had as `ack`. */
  seen: z.array(z.string().min(1).max(100_000)).max(100).optional(),
  new_only: z.boolean().optional(),
  pointer: z.boolean().optional(),
  wait: z.number().min(0).optional(),
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
    errors: ["INVALID_INPUT", "TOO_MANY_READERS"],
  },
} as const satisfies Record<string, RouteContract>;
