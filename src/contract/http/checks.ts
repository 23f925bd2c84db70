import { z } from "zod";
import type { RouteContract } from "./route.js";

const checkRow = z.object({
  name: z.string().describe("As tasks ask for it; `worktree.setup` is what makes worktrees ready"),
  argv: z.array(z.string()).nullable().describe("Null if the configuration has it no more"),
  projects: z
    .array(z.object({ project: z.string(), argv: z.array(z.string()) }))
    .describe("Where it may run without asking, each with the arguments that were allowed"),
});

const allowBody = z.strictObject({ project: z.string().min(1).max(4096).describe("A folder") });
const forgetBody = z.strictObject({
  project: z.string().min(1).max(4096).optional().describe("Only there; default: everywhere"),
});

export const checkRoutes = {
  list: {
    method: "GET",
    path: "/api/checks",
    summary: "The checks of the configuration, and where each may run without asking the person",
    access: "operator",
    status: 200,
    response: z.object({ checks: z.array(checkRow) }),
  },
  allow: {
    method: "POST",
    path: "/api/checks/:name/allow",
    summary: "Let a check run in a project from now on, without being asked",
    access: "operator",
    body: allowBody,
    status: 200,
    response: z.object({ name: z.string(), argv: z.array(z.string()), project: z.string() }),
    errors: ["CHECK_UNKNOWN", "PROJECT_NOT_ALLOWED"],
  },
  forget: {
    method: "POST",
    path: "/api/checks/:name/forget",
    summary: "Take back that a check may run without asking",
    access: "operator",
    body: forgetBody,
    status: 200,
    response: z.object({
      name: z.string(),
      projects: z
        .array(z.string())
        .describe("Where the person is asked again; none if it was allowed nowhere"),
    }),
  },
} as const satisfies Record<string, RouteContract>;
