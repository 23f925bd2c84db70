import { z } from "zod";
import { messageId } from "./messages.js";
import type { RouteContract } from "./route.js";

export const requestStatuses = ["open", "claimed", "answered", "expired"] as const;

/** Shorter than a message's: `req-` goes before it, and the number of a nudge behind. */
const requestIdChoice = messageId.max(100, "at most 100 characters");

const openRequestBody = z.strictObject({
  description: z.string().min(1).describe("What needs doing"),
  context: z.string().optional().describe("What is known so far"),
  timeout_seconds: z
    .number()
    .positive()
    .optional()
    .describe("How long it waits to be claimed; default `requests.default`, cut to `requests.max`"),
  hubs: z
    .array(z.string().min(1).max(64))
    .max(50)
    .optional()
    .describe("Linked hubs whose agents are asked too, or `all`; default: only the agents here (32.11)"),
  id: requestIdChoice
    .optional()
    .describe("So that a retry is safe: the request's id is `req-` and this; default: a new UUIDv7"),
});

const requestOpened = z.object({ request_id: z.string(), status: z.enum(requestStatuses) });

export const requestView = z.object({
  request_id: z.string(),
  status: z.enum(requestStatuses),
  from: z.string(),
  description: z.string(),
  context: z.string().optional(),
  timestamp: z.string(),
  timeout_seconds: z.number(),
  expires_in_seconds: z.number().optional().describe("While it is open"),
  nudges: z.number(),
  hub: z.string().optional().describe("Whose request it is, if another hub's: that one decides who has it"),
  hubs: z.array(z.string()).optional().describe("The hubs that it is shared with"),
  claimed_by: z.string().optional(),
  claimed_at: z.string().optional(),
  reopened_at: z.string().optional().describe("When it was open again, since `reopened_from` had left"),
  reopened_from: z.string().optional(),
  answered_at: z.string().optional(),
  answer: z
    .string()
    .optional()
    .describe("The id of the message that answers it, for its two ends and the operator"),
  answer_text: z
    .string()
    .optional()
    .describe("What that says, on one line and at most 200 characters; missing where it was pruned"),
});

const listRequestsQuery = z.strictObject({
  status: z.enum(requestStatuses).optional().describe("Default: all"),
  limit: z.number().int().min(1).max(1000).default(50),
  cursor: z.string().min(1).max(200).optional().describe("`next` of the page before"),
});

const requestList = z.object({ requests: z.array(requestView), next: z.string().nullable() });

const requestClaimed = z.object({
  claimed: z.boolean(),
  code: z
    .literal("OWNER_UNREACHABLE")
    .optional()
    .describe("Nobody was given it: its hub could not be asked; `error` says why"),
  error: z.string().optional(),
  request: requestView,
});

const answerRequestBody = z.strictObject({
  message: z.string().min(1).describe("The answer"),
  id: messageId.optional().describe("As in 6.1"),
});

const requestAnswered = z.object({
  answered: z.literal(true),
  message_id: z.string(),
  request: requestView,
});

const requestNudged = z.object({ nudged: z.boolean(), request: requestView });

export const requestRoutes = {
  open: {
    method: "POST",
    path: "/api/requests",
    summary: "Ask all other agents for help; the first to claim it has it",
    access: "member",
    body: openRequestBody,
    status: 201,
    response: requestOpened,
    errors: ["ID_REUSED", "REQUESTS_FULL", "RATE_LIMITED", "CONVERSATION_FROZEN", "PEER_NOT_FOUND"],
  },
  list: {
    method: "GET",
    path: "/api/requests",
    summary: "Requests, newest first, in pages",
    access: "member",
    query: listRequestsQuery,
    status: 200,
    response: requestList,
  },
  show: {
    method: "GET",
    path: "/api/requests/:id",
    summary: "One request, whatever became of it",
    access: "member",
    status: 200,
    response: requestView,
    errors: ["REQUEST_NOT_FOUND"],
  },
  claim: {
    method: "POST",
    path: "/api/requests/:id/claim",
    summary: "Claim a request. One wins, whatever the race; losing answers `claimed: false`.",
    access: "member",
    status: 200,
    response: requestClaimed,
    errors: ["REQUEST_NOT_FOUND", "REQUEST_EXPIRED", "OWN_REQUEST"],
  },
  answer: {
    method: "POST",
    path: "/api/requests/:id/answer",
    summary: "Answer a request: its claimer, or anybody if it is unclaimed",
    access: "member",
    body: answerRequestBody,
    status: 200,
    response: requestAnswered,
    errors: [
      "REQUEST_NOT_FOUND",
      "REQUEST_EXPIRED",
      "OWN_REQUEST",
      "NOT_CLAIMER",
      "REQUEST_ANSWERED",
      "ID_REUSED",
      "AGENT_GONE",
      "INBOX_FULL",
      "CONVERSATION_FROZEN",
    ],
  },
  nudge: {
    method: "POST",
    path: "/api/requests/:id/nudge",
    summary: "Remind all other agents of an unclaimed request",
    access: "member",
    status: 200,
    response: requestNudged,
    errors: ["REQUEST_NOT_FOUND", "REQUEST_EXPIRED", "RATE_LIMITED"],
  },
} as const satisfies Record<string, RouteContract>;
