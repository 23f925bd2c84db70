import { z } from "zod";
import { permissionPolicies, runtimeKinds } from "../../model/hosting.js";
import { toolsetNames } from "../../model/toolset.js";
import type { RouteContract } from "./route.js";

const runtimeView = z.object({
  runtime: z.enum(runtimeKinds),
  works: z.boolean(),
  /** Why it does not. */
  reason: z.string().nullable(),
  /** The command that would help. */
  install: z.string().nullable(),
  /** How `huddle selftest` went with the version that is here; null if it was not run. An older hub does not say. */
  selftest: z
    .object({
      fails: z.array(z.string()).describe("Behaviours that failed; none: it works"),
      version: z.string().nullable(),
      at: z.string(),
    })
    .nullable()
    .optional(),
});

const backendView = z.object({
  name: z.string(),
  /** What people call it. */
  label: z.string(),
  /** It can be run in some way. */
  installed: z.boolean(),
  /** Of its CLI. */
  path: z.string().nullable(),
  version: z.string().nullable(),
  /** Its version is being looked for: ask again. */
  checking: z.boolean(),
  /** The command that installs its CLI. */
  install: z.string().nullable(),
  runtimes: z.array(runtimeView),
  /** How it is run when nobody says, and why so. */
  runtime: z.enum(runtimeKinds).nullable(),
  runtime_reason: z.string().nullable(),
  /** What its agents get when nobody says. */
  permissions: z.enum(permissionPolicies),
  tools: z.enum(toolsetNames),
  worktree: z.boolean(),
  /** That its agents were given lately, the newest first. */
  models: z.array(z.string()),
});

const backendList = z.object({
  backends: z.array(backendView),
  /** `default_backend` of the configuration. */
  default: z.string().nullable(),
});

export const backendRoutes = {
  list: {
    method: "GET",
    path: "/api/backends",
    summary: "What agents can run on here: which CLIs are installed, and in which ways they can be run",
    access: "operator",
    status: 200,
    response: backendList,
  },
} as const satisfies Record<string, RouteContract>;
