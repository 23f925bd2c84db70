import { z } from "zod";
import { permissionDecisions } from "../../model/permission.js";
import type { RouteContract } from "./route.js";

const permissionView = z.object({
  id: z.string(),
  agent: z.string(),
  tool: z.string(),
  title: z.string(),
  act: z.string(),
  /** As the agent gave them. */
  details: z.unknown(),
  options: z.array(z.object({ id: z.string(), label: z.string(), grants: z.string() })),
  asked: z.string(),
  expires_in_seconds: z.number().nullable(),
  outcome: z.string().optional().describe("Of one that is answered"),
  by: z.string().optional(),
  via: z.string().optional(),
  reason: z.string().optional(),
  answered: z.string().optional(),
});

const permissionsQuery = z.strictObject({
  state: z
    .enum(["open", "answered"])
    .default("open")
    .describe("`answered`: those that a person was asked about and that are answered, newest first"),
  limit: z.number().int().min(1).max(200).default(50).describe("Of those that are answered"),
});

const permissionList = z.object({ permissions: z.array(permissionView) });

const permissionDecision = z.strictObject({
  decision: z.enum(permissionDecisions).describe("Never more is granted than that"),
});

const permissionAnswered = z.object({
  id: z.string(),
  agent: z.string(),
  outcome: z.string(),
  check: z
    .object({ name: z.string(), argv: z.array(z.string()), project: z.string() })
    .optional()
    .describe("What runs, where it is a check (22.3)"),
});

export const permissionRoutes = {
  list: {
    method: "GET",
    path: "/api/permissions",
    summary: "Permission requests that nobody has answered, or the latest that were",
    access: "operator",
    query: permissionsQuery,
    status: 200,
    response: permissionList,
  },
  answer: {
    method: "POST",
    path: "/api/permissions/:id",
    summary: "Approve or deny a permission request; the first answer counts",
    access: "operator",
    body: permissionDecision,
    status: 200,
    response: permissionAnswered,
    errors: ["PERMISSION_NOT_FOUND", "PERMISSION_ANSWERED", "DIALOG_IN_PANE"],
  },
} as const satisfies Record<string, RouteContract>;
