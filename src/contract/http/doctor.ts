import { z } from "zod";
import { findingStates } from "../../model/finding.js";
import type { RouteContract } from "./route.js";

const examination = z.object({
  at: z.string().describe("When it ended"),
  took_ms: z.number(),
  ok: z.boolean().describe("No finding is a problem"),
  findings: z.array(
    z.object({
      check: z.string().describe("What was looked at: `node`, `permissions`, `store`, `claude` and so on"),
      state: z.enum(findingStates).describe("`note`: it could be more, and nothing is broken"),
      text: z.string(),
      fix: z
        .string()
        .nullable()
        .describe("The one command that fixes a problem, or brings what a note misses"),
      fixable: z.boolean().describe("`huddle doctor --fix` does it"),
    }),
  ),
});

const doctor = z.object({
  running: z.boolean().describe("The checks run now: ask again"),
  result: examination.nullable().describe("What they found last; null: not run since the hub started"),
});

export const doctorRoutes = {
  show: {
    method: "GET",
    path: "/api/doctor",
    summary: "What `huddle doctor`'s checks found when they last ran inside the hub",
    access: "operator",
    status: 200,
    response: doctor,
  },
  run: {
    method: "POST",
    path: "/api/doctor",
    summary:
      "Run the checks of `huddle doctor` inside the hub; one run at a time: while one is under way, none is started",
    access: "operator",
    status: 202,
    response: doctor,
  },
} as const satisfies Record<string, RouteContract>;
