import { z } from "zod";
import { messageView } from "./messages.js";
import type { RouteContract } from "./route.js";

const text = (max: number) => z.string().min(1).max(max);

export const searchQuery = z.strictObject({
  q: z.string().max(1000).optional(),
  from: text(200).optional(),
  to: text(200).optional(),
  type: text(40).optional(),
  after: text(40).optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: text(40).optional(),
});

/** Newest first. `next` goes into `cursor`; a page may hold fewer than `limit` and still have a next one. */
const searchPage = z.object({ messages: z.array(messageView), next: z.string().nullable() });

const thread = z.object({ messages: z.array(messageView) });

const listMessagesQuery = z.strictObject({
  after: z.number().int().min(0).optional(),
  since: text(40).optional(),
  limit: z.number().int().min(1).max(500).optional(),
});

/** Oldest first. `next` goes into `after`; a page may hold fewer than `limit` and still have a next one. */
const messageList = z.object({ messages: z.array(messageView), next: z.number().nullable() });

export const searchRoutes = {
  search: {
    method: "GET",
    path: "/api/search",
    summary:
      "Find messages, newest first: words and “phrases”, with from: to: type: status: after: among them or as parameters",
    access: "member",
    query: searchQuery,
    status: 200,
    response: searchPage,
    errors: ["INVALID_INPUT", "TOO_MANY_READERS"],
  },
  list: {
    method: "GET",
    path: "/api/messages",
    summary: "Messages in order: all of them for the operator, an agent's own and broadcasts for the agent",
    access: "member",
    query: listMessagesQuery,
    status: 200,
    response: messageList,
    errors: ["INVALID_INPUT", "TOO_MANY_READERS"],
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
