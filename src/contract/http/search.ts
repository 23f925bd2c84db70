import { z } from "zod";
import { messageView, receiptFields } from "./messages.js";
import type { RouteContract } from "./route.js";
import { agentTurnView, turnHit } from "./turns.js";

const text = (max: number) => z.string().min(1).max(max);

const seq = z.number().int().min(0).optional();
const yesOrNo = z.enum(["true", "false"]).optional();

/** What is looked for. */
const wanted = {
  q: z
    .string()
    .max(1000)
    .optional()
    .describe(
      'Words and `"phrases"` of content and context, all of which must be there, at most 32; `word*` is every word that begins so; and the filters `from:NAME`, `to:NAME`, `type:TYPE` (of a message, or `turn`), `status:STATE`, `source:user|agent|applet`, `between:agents` (neither from nor to the person or the hub), `after:TIME`, `before:TIME`. Given twice, a filter means either value; of several times the narrowest count',
    ),
  from: text(200).optional().describe("As the filter, in place of those in `q`"),
  to: text(200).optional().describe("As the filter, in place of those in `q`"),
  type: text(40).optional().describe("As the filter, in place of those in `q`"),
  after: text(40)
    .optional()
    .describe("As the filter: `2026-01-31`, an ISO 8601 time, or how long ago: `10m`, `2h`, `3d`"),
  before: text(40).optional().describe("As the filter, written like `after`"),
  newer_than: seq.describe("Only what has a higher `seq`"),
  older_than: seq.describe("Only what has a lower `seq`"),
  turns: yesOrNo.describe("`false`: turns only where `type:turn` asks for them; default `true`"),
};

export const searchQuery = z.strictObject({
  ...wanted,
  receipts: yesOrNo.describe(
    "`true`: each message also has `deliveries` and `recipients`, as in 6.10: how far it has come",
  ),
  limit: z.number().int().min(1).max(200).default(50),
  cursor: text(40).optional().describe("`next` of the page before"),
});

/** Newest first. `next` goes into `cursor`; a page may hold fewer than `limit` and still have a next one. */
const searchPage = z.object({
  messages: z.array(messageView.extend(receiptFields).partial({ deliveries: true, recipients: true })),
  /** Those between the newest and the oldest that the page looked at; `more_turns`: there are more than `limit` of them. An older hub has none. */
  turns: z.array(turnHit).optional(),
  more_turns: z.literal(true).optional(),
  next: z.string().nullable(),
});

export const searchCountQuery = z.strictObject({
  ...wanted,
  every: z
    .number()
    .int()
    .min(10)
    .max(100_000)
    .optional()
    .describe("The answer also has `places`: the `seq` of the first of each so many, newest first"),
});

const searchCount = z.object({
  total: z
    .number()
    .nullable()
    .describe("Messages and turns together; null where only a look at each message would tell"),
  places: z.array(z.number()).optional(),
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
      "Find messages and turns, newest first: words and “phrases”, with from: to: type: status: source: between: after: before: among them or as parameters",
    access: "member",
    query: searchQuery,
    status: 200,
    response: searchPage,
    errors: ["TOO_MANY_READERS"],
  },
  count: {
    method: "GET",
    path: "/api/search/count",
    summary: "How many messages and turns a search finds, and where in the journal they are",
    access: "member",
    query: searchCountQuery,
    status: 200,
    response: searchCount,
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
