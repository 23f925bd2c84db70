import { z } from "zod";
import type { RouteContract } from "./route.js";

const foundAgent = z.object({
  name: z.string().describe("The address by which it is written to"),
  hub: z.string().nullable().describe("null: this one"),
  status: z.enum(["idle", "busy", "offline"]),
  person: z.literal(true).optional().describe("It is the person there"),
});

const hubProblem = z.object({
  hub: z.string().nullable(),
  kind: z
    .enum(["no_answer", "refused", "untrusted", "cut", "unlisted"])
    .describe(
      "`cut`: it lists more, or what is no agent. `unlisted`: which hubs there are could not be asked; `hub` is null",
    ),
  problem: z.string(),
});

export const directoryRoutes = {
  everywhere: {
    method: "GET",
    path: "/api/directory",
    summary: "The agents of this hub and of every hub that it can reach, asked now, in pages",
    access: "member",
    query: z.strictObject({
      limit: z.number().int().min(1).max(1000).default(50),
      cursor: z.string().min(1).max(250).optional().describe("`next` of the page before"),
    }),
    status: 200,
    response: z.object({
      agents: z.array(foundAgent).describe("In order of hubs, this one first, and of names"),
      problems: z.array(hubProblem).describe("Hubs of this page whose agents are not listed, or not all"),
      next: z.string().nullable(),
    }),
    errors: ["TOO_MANY_READERS"],
  },
} as const satisfies Record<string, RouteContract>;
