import { z } from "zod";
import { obligationKinds } from "../../model/obligation.js";
import type { RouteContract } from "./route.js";

const obligationView = z.object({
  agent: z.string().describe("Who owes it"),
  to: z.string().nullable().describe("Whom it is owed to; null for a work claim"),
  kind: z.enum(obligationKinds),
  ref: z.string().describe("The id of the task, the request or the message; of a work claim, the work"),
  since: z.string(),
  due: z.string().nullable(),
  text: z
    .string()
    .nullable()
    .describe("What it is about, on one line; null where that is not for the reader"),
});

export const obligationRoutes = {
  list: {
    method: "GET",
    path: "/api/obligations",
    summary:
      "Who owes what to whom: an agent sees what it owes and what is owed to it, orchestrators and the operator all",
    access: "member",
    query: z.strictObject({
      agent: z.string().min(1).max(200).optional().describe("Only what this agent owes"),
    }),
    status: 200,
    response: z.object({ obligations: z.array(obligationView) }),
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS"],
  },
} as const satisfies Record<string, RouteContract>;
