import { z } from "zod";
import { budgetKinds, usageKinds } from "../../model/usage.js";
import type { RouteContract } from "./route.js";

/** What turns used together. */
export const usageTotals = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: z.number().nullable().describe("Null where no vendor told"),
  cost_partial: z.literal(true).optional().describe("Of some of the turns no vendor told the cost"),
  turns: z.number(),
});

const usageRow = usageTotals.extend({
  key: z
    .string()
    .describe(
      "The id of an agent, task, workflow or conversation; a day as `2026-11-17`, where the hub runs",
    ),
  name: z.string().optional().describe("Of an agent: its address"),
});

const usageQuery = z.strictObject({
  by: z.enum(usageKinds).default("agent"),
  limit: z.number().int().min(1).max(500).default(50),
  cursor: z
    .string()
    .regex(/^[0-9]{1,15}$/, "not one that a page of usage gave as `next`")
    .optional()
    .describe("`next` of the page before"),
});

const decideBody = z.strictObject({
  decision: z
    .enum(["continue", "stop"])
    .describe("`continue`: it may use as much again; `stop`: it is ended"),
});

export const usageRoutes = {
  list: {
    method: "GET",
    path: "/api/usage",
    summary:
      "What turns used, the newest first, in pages: an agent sees its own, an orchestrator agents, tasks and workflows",
    access: "member",
    query: usageQuery,
    status: 200,
    response: z.object({ usage: z.array(usageRow), next: z.string().nullable() }),
  },
  decide: {
    method: "POST",
    path: "/api/budgets/:kind/:key",
    summary: "Let an agent or workflow that has used up its budget go on, or end it",
    access: "operator",
    body: decideBody,
    status: 200,
    response: z.object({
      kind: z.enum(budgetKinds),
      key: z.string(),
      decision: z.enum(["continue", "stop"]),
    }),
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS", "BUDGET_NOT_REACHED"],
  },
} as const satisfies Record<string, RouteContract>;
