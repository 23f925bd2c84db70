import { z } from "zod";
import { hubErrorCodes } from "../../model/errors.js";
import { problemKinds } from "../../model/health-problems.js";
import { budgetKinds } from "../../model/usage.js";
import type { RouteContract } from "./route.js";

export const health = z.object({
  /** False while something is wrong; `code` and `error` say what, as a refusal would. */
  ok: z.boolean(),
  code: z.enum(hubErrorCodes).optional(),
  error: z.string().optional(),
  version: z.string(),
  pid: z.number(),
  url: z.string(),
  data: z.string(),
  started: z.string(),
  agents: z.number(),
  /** Null if it cannot be read. */
  unread: z.number().nullable(),
  readers: z.number(),
  totals: z.record(z.string(), z.number()),
  journal: z.object({ seq: z.number(), wal_bytes: z.number() }),
  memory_bytes: z.number(),
});

const fileSize = z.object({ name: z.string(), bytes: z.number() });

/** How the hub is, in figures: for people. */
const healthDetails = z.object({
  checked: z.string().describe("When this was looked at"),
  problems: z
    .array(z.object({ kind: z.enum(problemKinds), text: z.string(), next: z.string() }))
    .describe("What is wrong, and the next step; none: all is well"),
  journal: z.object({
    events: z.number().describe("That are there now; earlier ones may have been pruned"),
    first: z.number(),
    seq: z.number(),
    oldest: z.string().nullable().describe("When the oldest event happened"),
    bytes: z.number(),
    wal_bytes: z.number(),
    integrity: z
      .enum(["unchecked", "checking", "sound", "damaged"])
      .describe("Of the check of all of the file, a little after the start"),
    integrity_at: z.string().nullable(),
  }),
  files: z.array(fileSize).describe("The other files of the hub: they can be made again from the journal"),
  commits: z.object({
    count: z.number().describe("Those of the last thousand that were measured"),
    median_ms: z.number().nullable().describe("From the beginning of a commit until it is on disk"),
    slowest_ms: z.number().nullable(),
  }),
  disk: z
    .object({
      free_bytes: z.number(),
      total_bytes: z.number(),
      reserve_bytes: z.number().describe("Below this nothing is stored (`journal.reserve`)"),
    })
    .nullable(),
  memory: z.object({ rss_bytes: z.number(), heap_bytes: z.number() }),
  readers: z.object({ waits: z.number(), streams: z.number(), searches: z.number() }),
  views: z
    .array(z.object({ name: z.string(), behind: z.number() }))
    .describe("What follows the journal, and how many events behind it is"),
  limits: z
    .array(z.object({ key: z.string(), label: z.string(), used: z.number(), most: z.number() }))
    .describe("What is used of what the configuration allows; `most` 0: any number"),
  budgets: z
    .object({
      agent_usd: z.number().nullable(),
      agent_tokens: z.number().nullable(),
      workflow_usd: z.number().nullable(),
      reached: z.array(z.object({ kind: z.enum(budgetKinds), key: z.string(), name: z.string() })),
    })
    .describe("See 25.3; null: none is set"),
});

const ticket = z.object({ ticket: z.string(), expires_in_seconds: z.number() });

export const eventsQuery = z.strictObject({
  after: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Start after this `seq`; 0 is the beginning. Beyond the newest: `INVALID_INPUT` with `newest`"),
  since: z.string().max(40).optional().describe("Start at this ISO 8601 time; `after` wins"),
  ticket: z.string().max(100).optional().describe("In place of a token (8.7)"),
});

/** A frame of the event stream. `sessionId` is the agent that it concerns. */
export const eventFrame = z.object({
  seq: z.number(),
  at: z.string(),
  type: z.string(),
  sessionId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});

export const controlFrame = z.discriminatedUnion("type", [
  z
    .object({ type: z.literal("ready"), seq: z.number(), first: z.number() })
    .describe("First of all; `seq` is the newest event, `first` the oldest that is still there (0: none)"),
  z
    .object({ type: z.literal("ping"), seq: z.number() })
    .describe("Every `events.ping_every`; `seq` is how far this reader has come, invisible events included"),
  z
    .object({ type: z.literal("dropped"), reason: z.string(), seq: z.number() })
    .describe("Last; resume after `seq`"),
]);

export const errorBody = z.looseObject({ error: z.string(), code: z.string() });

export const hubRoutes = {
  health: {
    method: "GET",
    path: "/api/health",
    summary: "Whether the hub works, who it is, and how much it holds",
    access: "any",
    status: 200,
    response: health,
  },
  details: {
    method: "GET",
    path: "/api/health/details",
    summary:
      "The hub in figures: journal, disk, memory, readers, views, limits and budgets, with what is wrong and the next step",
    access: "operator",
    status: 200,
    response: healthDetails,
  },
  ticket: {
    method: "POST",
    path: "/auth/ticket",
    summary:
      "A single-use ticket that opens one WebSocket within `events.ticket_life`, for clients that cannot send a header",
    access: "member",
    status: 200,
    response: ticket,
  },
  events: {
    method: "GET",
    path: "/api/events",
    summary:
      "Events as they happen, over WebSocket or (Accept: text/event-stream) SSE, from after a sequence number",
    access: "member",
    query: eventsQuery,
    status: 200,
    errors: ["TOO_MANY_READERS"],
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This document",
    access: "any",
    status: 200,
  },
} as const satisfies Record<string, RouteContract>;
