import { z } from "zod";
import { eventFrame } from "../http/hub.js";
import { messageView } from "../http/messages.js";
import type { RouteContract } from "../http/route.js";

/*
 * The frames of an agent's socket, one JSON object each. A client's has `n`, which it chose, and `op`; the answer to it has the
 * same `n`. What the hub says by itself has no `n`.
 */

/** Most messages that are handed out on one socket and not acknowledged. */
const WINDOW_MAX = 1000;

/** Most events in one answer. */
const EVENTS_MAX = 500;

export const frameNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const mailFields = z.strictObject({
  window: z
    .number()
    .int()
    .min(0)
    .max(WINDOW_MAX)
    .describe(
      "How many messages may be handed out and not acknowledged. The first `mail` begins to hand out; another changes the number; 0 ends it, and what was not acknowledged waits in the inbox again",
    ),
});

export const eventsFields = z.strictObject({
  after: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("After this `seq`; 0 is the beginning. Without it and `since`: what happens from now on"),
  since: z.string().max(40).optional().describe("From this ISO 8601 time on; `after` wins"),
  limit: z.number().int().min(1).max(EVENTS_MAX).default(100),
  wait: z
    .number()
    .min(0)
    .optional()
    .describe("Seconds to wait until there is one; default 0, cut to `inbox.wait_max`"),
});

export const eventsAnswer = z.object({
  events: z.array(eventFrame),
  after: z.number().describe("Ask for the next ones after this"),
  first: z.number().describe("The oldest event that is still there (0: none)"),
});

export const readyFrame = z
  .object({
    type: z.literal("ready"),
    id: z.string(),
    name: z.string(),
    seq: z.number(),
    in_flight: z.number(),
    frame_bytes: z.number(),
  })
  .describe(
    "First of all. `id` and `name`: whose socket it is. `seq`: the newest event. `in_flight`: with so many unanswered frames the hub reads no more until one is answered. `frame_bytes`: a larger frame closes the socket (1009)",
  );

export const mailFrame = z
  .object({ mail: z.array(messageView) })
  .describe("Messages from the inbox, oldest first, as in 6.2: handed out, not yet acknowledged");

export const answerFrame = z
  .object({ n: z.number(), answer: z.unknown() })
  .describe("The answer to frame `n`: what its route answers, or null where that has no body");

export const refusalFrame = z
  .looseObject({ n: z.number().nullable(), error: z.string(), code: z.string() })
  .describe("Frame `n` was refused: section 4. `n` is null where the frame had none that can be read");

const pingFrame = z.object({ type: z.literal("ping") }).describe("Every `events.ping_every`");

const droppedFrame = z
  .object({ type: z.literal("dropped"), reason: z.string() })
  .describe("Last; then the socket is closed with 4008");

/** In the order in which a reader meets them. */
export const hubFrames = [readyFrame, answerFrame, refusalFrame, mailFrame, pingFrame, droppedFrame] as const;

export const agentSocketQuery = z.strictObject({
  ticket: z.string().max(100).optional().describe("In place of a token (8.7)"),
});

export const socketRoutes = {
  open: {
    method: "GET",
    path: "/api/agent-socket",
    summary:
      "One WebSocket for a program: it sends, reads, acknowledges, claims and follows events on it, as much at once as it likes",
    access: "member",
    query: agentSocketQuery,
    status: 200,
    errors: ["TOO_MANY_READERS"],
  },
} as const satisfies Record<string, RouteContract>;
