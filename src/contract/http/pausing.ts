import { z } from "zod";
import type { RouteContract } from "./route.js";

const pauseBody = z.strictObject({
  now: z
    .boolean()
    .optional()
    .describe("The turn that it is in is cut, and goes on later; default: it ends first"),
});

const changed = z.object({ agents: z.number().describe("How many agents this changed something for") });

export const pausingRoutes = {
  pauseAll: {
    method: "POST",
    path: "/api/agents/pause",
    summary: "Pause all agents, and whoever comes later; for the operator and orchestrators",
    access: "member",
    body: pauseBody,
    status: 200,
    response: changed,
  },
  resumeAll: {
    method: "POST",
    path: "/api/agents/resume",
    summary: "Resume all agents; for the operator and orchestrators",
    access: "member",
    status: 200,
    response: changed,
  },
  pause: {
    method: "POST",
    path: "/api/agents/:name/pause",
    summary:
      "Let an agent begin no turn and get no mail until it is resumed; for the operator and orchestrators",
    access: "member",
    body: pauseBody,
    status: 200,
    response: changed,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS"],
  },
  resume: {
    method: "POST",
    path: "/api/agents/:name/resume",
    summary: "Let an agent go on, with all that waited; for the operator and orchestrators",
    access: "member",
    status: 200,
    response: changed,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS"],
  },
} as const satisfies Record<string, RouteContract>;
