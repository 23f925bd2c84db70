import { z } from "zod";
import { needKinds } from "../../model/needs-you.js";
import { needFacts } from "./need-facts.js";
import type { RouteContract } from "./route.js";

/** What the person can do about it: a command, and the call that does the same where there is one. */
const needAction = z.object({
  action: z.string(),
  label: z.string(),
  command: z.string(),
  method: z.enum(["POST"]).optional(),
  path: z.string().optional(),
  body: z.record(z.string(), z.unknown()).optional(),
});

const need = z.object({
  id: z.string(),
  kind: z.enum(needKinds),
  agent: z.string().nullable(),
  text: z.string(),
  at: z.string(),
  expires: z.string().nullable(),
  actions: z.array(needAction),
  /** An older hub does not say. */
  facts: needFacts.optional(),
});

export const needsYouRoutes = {
  list: {
    method: "GET",
    path: "/api/needs-you",
    summary: "All that waits for the person, with what can be done about each",
    access: "operator",
    status: 200,
    response: z.object({ items: z.array(need) }),
  },
} as const satisfies Record<string, RouteContract>;
