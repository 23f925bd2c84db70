import { z } from "zod";
import { permissionPolicies, runtimeKinds } from "../../model/hosting.js";
import type { RouteContract } from "./route.js";

const text = (max: number) => z.string().min(1).max(max);

export const spawnBody = z.strictObject({
  backend: text(200).optional(),
  name: text(200).optional(),
  project: text(4096).optional(),
  team: text(200).optional(),
  instance: text(64).optional(),
  model: text(200).optional(),
  runtime: z.enum(runtimeKinds).optional(),
  permissions: z.enum(permissionPolicies).optional(),
  message: z.string().min(1).optional(),
});

const spawned = z.object({
  spawned: z.literal(true),
  id: z.string(),
  name: z.string(),
  project: z.string().nullable(),
  state: z.enum(["started", "starting"]),
});

const adoptBody = z.strictObject({
  target: text(200),
  socket: text(1000).optional(),
  name: text(200).optional(),
  team: text(200).optional(),
  backend: text(200).optional(),
});

const adopted = z.object({
  id: z.string(),
  name: z.string(),
  pane: z.string(),
  backend: z.string(),
  state: z.enum(["started", "starting"]),
});

export const shutdownBody = z.strictObject({ reason: text(2000).optional() });

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
    response: z.object({ killed: z.boolean() }),
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NOT_HOSTED"],
  },
} as const satisfies Record<string, RouteContract>;
