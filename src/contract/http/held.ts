import { z } from "zod";
import { heldReasons } from "../../model/held.js";
import { messageWords } from "./message-words.js";
import type { RouteContract } from "./route.js";

const heldView = z.object({
  ...messageWords.shape,
  reason: z
    .enum(heldReasons)
    .describe("`away`: its reader is not there, is paused or at a limit; `why` says it in words"),
  until: z.string().nullable().describe("When it can be read, where that is known"),
  why: z.string().optional(),
  behind: z.literal(true).optional().describe("It waits behind a held one of the same pair (9.5)"),
  conversation: z.string(),
});

const heldQuery = z.strictObject({ limit: z.number().int().min(1).max(200).default(50) });

export const heldRoutes = {
  list: {
    method: "GET",
    path: "/api/held",
    summary: "Messages that are held back now, the oldest first, with why and until when",
    access: "operator",
    query: heldQuery,
    status: 200,
    response: z.object({
      held: z.array(heldView),
      total: z.number(),
      reasons: z.array(z.object({ reason: z.enum(heldReasons), messages: z.number() })),
    }),
  },
} as const satisfies Record<string, RouteContract>;
