import { z } from "zod";
import { permissionPolicies, runtimeKinds } from "../../model/hosting.js";
import { spawnStates } from "../../model/spawn-request.js";
import { toolsetNames } from "../../model/toolset.js";
import type { RouteContract } from "./route.js";

const text = (max: number) => z.string().min(1).max(max);

const spawnBody = z.strictObject({
  backend: text(200)
    .optional()
    .describe(
      "A CLI by the name that it has in the configuration (`backends`); default: the caller's own, else `default_backend`",
    ),
  name: text(200).optional().describe("See 5.1"),
  project: text(4096)
    .optional()
    .describe(
      "An absolute path: the folder it works in, below one of `allowed_roots`; default: the caller's own",
    ),
  team: text(200).optional().describe("See 5.1"),
  instance: text(64).optional().describe("Which of several it is, in a pane"),
  model: text(200).optional().describe("See 5.1"),
  runtime: z.enum(runtimeKinds).optional().describe("How it is driven; default: the backend's"),
  permissions: z
    .enum(permissionPolicies)
    .optional()
    .describe("See 20.7. Counts for the operator only: agents' children get the backend's"),
  tools: z
    .enum(toolsetNames)
    .optional()
    .describe("Its set of tools (18.2); default: `backends.X.tools`, else `tools` of the configuration"),
  worktree: z
    .boolean()
    .optional()
    .describe("It works in a git worktree of the project (22.4); default: `backends.X.worktree`"),
  message: z
    .string()
    .min(1)
    .optional()
    .describe("Its first message, from the caller; if that is refused, nothing is started"),
});

const spawned = z.object({
  spawned: z.literal(true),
  id: z.string(),
  name: z.string(),
  project: z.string().nullable(),
  state: z.enum(spawnStates),
  /** What a dialog on its screen asks the person, when it is `waiting` for that. */
  words: z.string().optional(),
  /** An older hub does not say. */
  runtime: z.enum(runtimeKinds).optional(),
  /** Why it does not run in a better way, and what would bring that about. */
  hint: z.string().optional(),
});

const adoptBody = z.strictObject({
  target: text(200).describe("Whatever tmux takes as a pane: `%3`, `work:1.2`"),
  socket: text(1000)
    .optional()
    .describe("A name as for `tmux -L`, or a path as for `-S`; default: the person's own server"),
  name: text(200).optional().describe("See 5.1"),
  team: text(200).optional().describe("See 5.1"),
  instance: text(64).optional().describe("Which of several it is"),
  backend: text(200).optional().describe("Default: what runs in the pane"),
});

const adopted = z.object({
  id: z.string(),
  name: z.string(),
  pane: z.string(),
  backend: z.string(),
  state: z.enum(spawnStates),
  /** What a dialog on its screen asks the person, when it is `waiting` for that. */
  words: z.string().optional(),
  /** It was an agent already, by a bridge of its own: it stays the one that it is. */
  bridged: z.literal(true).optional(),
});

const panesQuery = z.strictObject({
  // A body has none; it would be an argument of tmux.
  socket: text(1000)
    .regex(/^[^\0]+$/, "must not hold a NUL character")
    .optional()
    .describe("A name as for `tmux -L`, or a path as for `-S`; default: the person's own server"),
});

const agentPane = z.object({
  session: z.string(),
  pane: z.string(),
  name: z.string().optional(),
  team: z.string().optional(),
  instance: z.string().optional(),
  backend: z.string().optional(),
  agent: z.string().optional(),
  bridged: z.literal(true).optional(),
  problem: z.string().optional(),
});

const shutdownBody = z.strictObject({
  reason: text(2000).optional().describe("For the agent to read"),
});

export const hostingRoutes = {
  spawn: {
    method: "POST",
    path: "/api/agents/spawn",
    summary: "Start an agent that the hub runs; answered once it has started, or after a while",
    access: "member",
    body: spawnBody,
    status: 201,
    response: spawned,
    errors: [
      "NAME_INVALID",
      "NAME_RESERVED",
      "BACKEND_UNKNOWN",
      "BACKEND_MISSING",
      "RUNTIME_UNAVAILABLE",
      "PROJECT_NOT_ALLOWED",
      "TARGET_INVALID",
      "DEPTH_LIMIT",
      "HOSTED_LIMIT",
      "WORKTREE_FAILED",
      "SETUP_NOT_ALLOWED",
      "WORKTREES_FULL",
      "SPAWN_FAILED",
      "CONVERSATION_FROZEN",
    ],
  },
  adopt: {
    method: "POST",
    path: "/api/agents/adopt",
    summary: "Take a tmux pane that the person started: messages are typed into it, and it is never ended",
    access: "operator",
    body: adoptBody,
    status: 201,
    response: adopted,
    errors: [
      "NAME_INVALID",
      "NAME_RESERVED",
      "BACKEND_UNKNOWN",
      "HOSTED_LIMIT",
      "TARGET_INVALID",
      "SPAWN_FAILED",
    ],
  },
  panes: {
    method: "GET",
    path: "/api/panes",
    summary: "The `agent-*` sessions of a tmux server, and which of them are agents already",
    access: "operator",
    query: panesQuery,
    status: 200,
    response: z.object({ panes: z.array(agentPane) }),
    errors: ["RUNTIME_UNAVAILABLE", "SPAWN_FAILED"],
  },
  shutdown: {
    method: "POST",
    path: "/api/agents/:name/shutdown",
    summary: "Ask an agent to finish what it is at and end",
    access: "member",
    body: shutdownBody,
    status: 202,
    response: z.object({ acknowledged: z.boolean() }),
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE"],
  },
  kill: {
    method: "POST",
    path: "/api/agents/:name/kill",
    summary: "End an agent that the hub runs, and everything that it began",
    access: "member",
    status: 200,
    response: z.object({ killed: z.boolean(), let_go: z.literal(true).optional() }),
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NOT_HOSTED"],
  },
} as const satisfies Record<string, RouteContract>;
