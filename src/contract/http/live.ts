import { z } from "zod";
import type { RouteContract } from "./route.js";

/*
 * What hosted agents say and do while they work. A frame has no sequence and is not kept: what a turn came to is in the
 * journal once it has ended. Offsets count UTF-16 code units, as JavaScript counts a string.
 */

export const toolStatuses = ["pending", "running", "done", "failed"] as const;

export const liveQuery = z.strictObject({
  agent: z.string().min(1).max(200).default("*").describe("An agent by its address or id; `*`: all of them"),
  ticket: z.string().max(100).optional().describe("In place of a token (8.7)"),
});

/** What turns use, as far as the vendor told by now. */
export const turnUsage = z.object({
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  cost_usd: z.number().optional(),
});

export const planEntry = z.object({ text: z.string(), status: z.string() });

const offset = z.number().int().min(0);

export const livePart = z.discriminatedUnion("kind", [
  z
    .object({ kind: z.literal("text"), offset, text: z.string() })
    .describe(
      "`kind` is `text`. More of what it says: `text` stands at `offset` of all that it said in this turn. An offset beyond what a reader has means that the text between was left out",
    ),
  z
    .object({ kind: z.literal("thought"), offset, text: z.string() })
    .describe("The same of what it thinks, counted by itself"),
  z
    .object({
      kind: z.literal("tool"),
      id: z.string(),
      title: z.string(),
      act: z.string().optional(),
      status: z.enum(toolStatuses),
      offset,
      ms: z.number(),
    })
    .describe(
      "A call of a tool as it is now, in place of what was told of the same `id`. `act`: read, edit, delete, move, search, execute, think, fetch, other; `offset`: how much it had said when it made the call; `ms`: how long it has run, or ran",
    ),
  z
    .object({ kind: z.literal("plan"), entries: z.array(planEntry) })
    .describe("Its whole plan, in place of the one before"),
  z.object({ kind: z.literal("usage"), usage: turnUsage }).describe("What the turn has used by now"),
]);
export type LivePart = z.output<typeof livePart>;

/** `agent` is its address as the operator writes it, `id` stays when it is renamed. */
const ofTurn = { agent: z.string(), id: z.string(), turn: z.string() };

export const livePartFrame = z.object({ ...ofTurn, part: livePart });

export const liveTurnFrame = z.discriminatedUnion("state", [
  z
    .object({
      ...ofTurn,
      state: z.literal("began"),
      at: z.string(),
      messages: z.array(z.string()),
      under_way: z.literal(true).optional(),
    })
    .describe(
      "A turn begins. Whatever the reader has of this agent's live output is over: what follows is all of this turn. `messages`: the ids of what it is told. `under_way`: it began before the reader looked, and what it has said and done by now follows",
    ),
  z
    .object({ ...ofTurn, state: z.literal("ended"), at: z.string(), stop: z.string() })
    .describe("It is over, and in the journal: `GET /api/agents/:name/turns` has it from now on"),
]);

export const liveControlFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }).describe("First of all; turns that are under way follow"),
  z.object({ type: z.literal("ping") }).describe("Every `events.ping_every`"),
  z.object({ type: z.literal("dropped"), reason: z.string() }).describe("Last; connect again"),
]);

/** A control frame has `type`, the beginning or end of a turn has `state`, output has `part`. */
export const liveFrame = z.union([livePartFrame, liveTurnFrame, liveControlFrame]);
export type LiveFrame = z.output<typeof liveFrame>;
/** What a program reads: a frame that is not about the connection. */
export type LiveOutputFrame = z.output<typeof livePartFrame> | z.output<typeof liveTurnFrame>;

export const liveRoutes = {
  live: {
    method: "GET",
    path: "/api/live",
    summary:
      "What hosted agents say and do while they work, over WebSocket or (Accept: text/event-stream) SSE; without sequence, at most 10 frames a second for each agent",
    access: "operator",
    query: liveQuery,
    status: 200,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS", "TOO_MANY_READERS"],
  },
} as const satisfies Record<string, RouteContract>;
