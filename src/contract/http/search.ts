import { z } from "zod";
import { messageView } from "./messages.js";
import type { RouteContract } from "./route.js";
import { agentTurnView, turnHit } from "./turns.js";

const text = (max: number) => z.string().min(1).max(max);

export const searchQuery = z.strictObject({
  q: z
    .string()
    .max(1000)
    .optional()
    .describe(
      'Words and `"phrases"` of content and context, all of which must be there, at most 32; and the filters `from:NAME`, `to:NAME`, `type:TYPE` (of a message, or `turn`), `status:STATE`, `source:user|agent|applet`, `between:agents` (neither from nor to the person or the hub), `after:TIME`. Given twice, a filter means either value; of two times the later counts',
    ),
  from: text(200).optional().describe("As the filter, in place of those in `q`"),
  to: text(200).optional().describe("As the filter, in place of those in `q`"),
  type: text(40).optional().describe("As the filter, in place of those in `q`"),
  after: text(40)
    .optional()
    .describe("As the filter: `2026-01-31`, an ISO 8601 time, or how long ago: `10m`, `2h`, `3d`"),
  limit: z.number().int().min(1).max(200).default(50),
  cursor: text(40).optional().describe("`next` of the page before"),
});

/** Newest first. `next` goes into `cursor`; a page may hold fewer than `limit` and still have a next one. */
const searchPage = z.object({
  messages: z.array(messageView),
  /** Those between the newest and the oldest that the page looked at; `more_turns`: there are more than `limit` of them. An older hub has none. */
  turns: z.array(turnHit).optional(),
  more_turns: z.literal(true).optional(),
  next: z.string().nullable(),
});

const thread = z.object({ messages: z.array(messageView) });

const listMessagesQuery = z.strictObject({
  after: z.number().int().min(0).optional().describe("Only what has a higher `seq`"),
  since: text(40).optional().describe("Only from this ISO 8601 time on; the later of the two counts"),
  limit: z.number().int().min(1).max(500).default(100),
  turns: z
    .enum(["true", "false"])
    .optional()
    .describe("`true`: the answer also has `turns`, those of agents between its messages"),
});

/** Oldest first. `next` goes into `after`; a page may hold fewer than `limit` and still have a next one. */
const messageList = z.object({
  messages: z.array(messageView),
  turns: z.array(agentTurnView).optional(),
  next: z.number().nullable(),
});

export const searchRoutes = {
  search: {
    method: "GET",
    path: "/api/search",
    summary:
      "Find messages and turns, newest first: words and “phrases”, with from: to: type: status: source: between: after: among them or as parameters",
    access: "member",
    query: searchQuery,
    status: 200,
    response: searchPage,
    errors: ["TOO_MANY_READERS"],
  },
  list: {
    method: "GET",
    path: "/api/messages",
    summary: "Messages in order: all of them for the operator, an agent's own and broadcasts for the agent",
    access: "member",
    query: listMessagesQuery,
    status: 200,
    response: messageList,
    errors: ["TOO_MANY_READERS"],
  },
  thread: {
    method: "GET",
    path: "/api/messages/:id/thread",
    summary: "The messages that answer each other, oldest first, of the thread that this message is in",
    access: "member",
    status: 200,
    response: thread,
    errors: ["MESSAGE_NOT_FOUND", "TOO_MANY_READERS"],
  },
} as const satisfies Record<string, RouteContract>;
