import { z } from "zod";
import { attentions } from "../../model/attention.js";
import { deliveryStates } from "../../model/delivery.js";
import { type MessageType, messageTypes, noticeKinds, type SendableType } from "../../model/message.js";
import type { RouteContract } from "./route.js";

export const messageId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/, "use 1 to 128 of A-Z a-z 0-9 . _ : -");

/** What makes a message of each type that nobody sends by itself. */
const waysOut = {
  request: "POST /api/requests opens a request",
  nudge: "POST /api/requests/:id/nudge reminds of a request",
  broadcast: "POST /api/agents/broadcast writes to everybody",
  shutdown: "POST /api/agents/:name/shutdown asks an agent to end",
  system: "only the hub sends it; use message, or leave type out",
} as const satisfies Record<Exclude<MessageType, SendableType>, string>;

const isSendable = (type: MessageType): type is SendableType => !(type in waysOut);

const sendableType = z.enum(messageTypes.filter(isSendable), {
  error({ input }) {
    const made = Object.entries(waysOut).find(([type]) => type === input);
    return made && `a message cannot be sent with the type "${made[0]}": ${made[1]}`;
  },
});

const sendMessageBody = z.strictObject({
  message: z.string().min(1),
  sender: z.string().max(200).optional(),
  id: messageId.optional(),
  type: sendableType.optional(),
  reply_to: messageId.optional(),
  attention: z.enum(attentions).optional(),
  if_limited: z.enum(["hold", "reject"]).optional(),
  context: z.string().optional(),
  expires_in_seconds: z.number().positive().max(31_536_000).optional(),
  metadata: z.record(z.string().max(200), z.unknown()).optional(),
  callback_url: z.url().max(2000).optional(),
});

const broadcastBody = z.strictObject({
  message: z.string().min(1),
  sender: z.string().max(200).optional(),
  team: z.string().min(1).max(200).optional(),
  id: messageId.optional(),
  attention: z.enum(attentions).optional(),
  context: z.string().optional(),
  expires_in_seconds: z.number().positive().max(31_536_000).optional(),
  metadata: z.record(z.string().max(200), z.unknown()).optional(),
});

const broadcastReceipt = z.object({
  message_id: z.string(),
  delivered_to: z.array(z.string()),
  failed: z.array(z.string()),
});

const receipt = z.object({
  delivered: z.literal(true),
  target: z.string(),
  message_id: z.string(),
  seq: z.number(),
  state: z.enum(["accepted", "held"]),
  reason: z.string().optional(),
  delayed_ms: z.number(),
});

/** A message as a reader gets it. */
export const messageView = z.object({
  id: z.string(),
  seq: z.number(),
  type: z.enum(messageTypes),
  from: z.string(),
  to: z.string(),
  content: z.string(),
  timestamp: z.string(),
  context: z.string().optional(),
  reply_to: z.string().optional(),
  thread: z.string().optional(),
  conversation: z.string(),
  hop: z.number(),
  request_id: z.string().optional(),
  claimed_by: z.string().optional(),
  callback_url: z.string().optional(),
  attention: z.enum(attentions),
  source: z.enum(["user", "applet", "agent"]),
  applet: z.string().optional(),
  fromSession: z.string().optional(),
  trust: z.enum(["human", "local", "peer", "callback"]),
  notice: z.enum(noticeKinds).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  repeated: z.literal(true).optional(),
});

const receiptState = z.enum([...deliveryStates, "answered"]);

const deliveryStep = z.object({
  state: receiptState,
  at: z.string(),
  route: z.string().optional(),
  attempt: z.number().optional(),
  evidence: z.string().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
  turn: z.string().optional(),
  stop: z.string().optional(),
  with: z.number().optional(),
});

export const deliveryView = z.object({
  to: z.string(),
  state: receiptState,
  at: z.string(),
  evidence: z.string().nullable(),
  reason: z.string().nullable(),
  steps: z.array(deliveryStep),
});

export const messageStatus = z.object({ message: messageView, deliveries: z.array(deliveryView) });

const inboxQuery = z.strictObject({
  from: z.string().min(1).max(200).optional(),
  request_id: z.string().min(1).max(200).optional(),
  after: z.number().int().min(0).optional(),
  wait: z.number().min(0).optional(),
});

const inboxPage = z.object({ messages: z.array(messageView), more: z.boolean() });

const ackBody = z.strictObject({ ids: z.array(messageId).min(1).max(1000) });

const acked = z.object({ acknowledged: z.array(z.string()), unknown: z.array(z.string()) });

export const messageRoutes = {
  send: {
    method: "POST",
    path: "/api/agents/:name/messages",
    summary:
      "Send a message. Answered once it is on disk; the same id with the same body is the same message.",
    access: "member",
    body: sendMessageBody,
    status: 202,
    response: receipt,
    errors: [
      "AGENT_NOT_FOUND",
      "AGENT_GONE",
      "SELF_SEND",
      "SENDER_MISMATCH",
      "ID_REUSED",
      "REPLY_TARGET_NOT_FOUND",
      "INBOX_FULL",
      "RATE_LIMITED",
      "CONVERSATION_FROZEN",
      "REQUEST_EXPIRED",
      "NOT_CLAIMER",
      "REQUEST_ANSWERED",
    ],
  },
  broadcast: {
    method: "POST",
    path: "/api/agents/broadcast",
    summary: "Send one message to every other agent, or to a team; each recipient is limited by itself",
    access: "member",
    body: broadcastBody,
    status: 202,
    response: broadcastReceipt,
    errors: [
      "NO_RECIPIENTS",
      "SENDER_MISMATCH",
      "ID_REUSED",
      "NAME_INVALID",
      "NAME_RESERVED",
      "CONVERSATION_FROZEN",
    ],
  },
  status: {
    method: "GET",
    path: "/api/messages/:id",
    summary: "A message and how far each delivery of it has come, with the evidence",
    access: "member",
    status: 200,
    response: messageStatus,
    errors: ["MESSAGE_NOT_FOUND"],
  },
  inbox: {
    method: "GET",
    path: "/api/inbox",
    summary: "Unread messages; with `wait` (seconds, at most 120) answers as soon as there is one",
    access: "member",
    query: inboxQuery,
    status: 200,
    response: inboxPage,
    errors: ["AGENT_NOT_FOUND", "REQUEST_NOT_FOUND", "TOO_MANY_READERS"],
  },
  ack: {
    method: "POST",
    path: "/api/inbox/ack",
    summary: "Say which messages have arrived; until then they are offered again",
    access: "member",
    body: ackBody,
    status: 200,
    response: acked,
    errors: ["MESSAGE_NOT_FOUND"],
  },
} as const satisfies Record<string, RouteContract>;
