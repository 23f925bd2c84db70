import { z } from "zod";
import { task } from "../typed-fields.js";
import type { RouteContract } from "./route.js";

const claimWorkBody = z.strictObject({
  task: task.describe("One line, without spaces around it"),
  action: z.enum(["claim", "release"]),
  lease_seconds: z.number().positive().optional().describe("Default `work.lease`, cut to `work.lease_max`"),
});

/** `owner` has the task now: the caller, or whoever was there first, or nobody. */
const workClaimed = z.object({
  ok: z.boolean(),
  owner: z.string().nullable(),
  peers: z
    .array(z.object({ owner: z.string(), since: z.string(), first: z.boolean() }))
    .optional()
    .describe("Agents of other hubs that say they are on it too; `first`: before whoever has it here"),
});

const listClaimsQuery = z.strictObject({
  limit: z.number().int().min(1).max(1000).default(50),
  cursor: z.string().min(1).max(500).optional().describe("`next` of the page before"),
});

const claimView = z.object({
  task: z.string(),
  owner: z.string(),
  since: z.string(),
  expires_in_seconds: z.number(),
  hub: z
    .string()
    .optional()
    .describe("It is a claim of an agent of that hub, which keeps nobody here from it"),
  behind: z.string().optional().describe("Whoever claimed the same task before, here or on another hub"),
});

const claimList = z.object({ claims: z.array(claimView), next: z.string().nullable() });

export const claimRoutes = {
  decide: {
    method: "POST",
    path: "/api/claims",
    summary: "Say that you are on a task, or no longer are; claiming it again renews the lease",
    access: "member",
    body: claimWorkBody,
    status: 200,
    response: workClaimed,
    errors: ["CLAIMS_FULL"],
  },
  list: {
    method: "GET",
    path: "/api/claims",
    summary: "Who is on what, here and on linked hubs, in order of the tasks, in pages of so many tasks",
    access: "member",
    query: listClaimsQuery,
    status: 200,
    response: claimList,
  },
} as const satisfies Record<string, RouteContract>;
