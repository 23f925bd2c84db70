import { z } from "zod";
import { attentions } from "../../model/attention.js";
import { deliveryStates } from "../../model/delivery.js";
import {
  type MessageType,
  messageSources,
  messageTypes,
  noticeKinds,
  type SendableType,
} from "../../model/message.js";
import { coordinationActions, saidStatuses } from "../../model/typed-message.js";
import { checkTyped, hasWords, typedFields, wordsMissing } from "../typed-fields.js";
import { tmuxView } from "./agents.js";
import type { RouteContract } from "./route.js";

export const messageId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/, "use 1 to 128 of A-Z a-z 0-9 . _ : -");

/** How a message is named by whoever has it: that of another hub's request has the hub behind it. */
const messageName = z.string().regex(/^[A-Za-z0-9._:@-]{1,200}$/, "use 1 to 200 of A-Z a-z 0-9 . _ : @ -");

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

/** What a message can have, to one or to many. */
const letter = {
  message: z.string().min(1).describe("The content; only `http.body_limit` bounds it"),
  id: messageId.optional().describe("Chosen by the sender, so that a retry is safe; default: a new UUIDv7"),
  attention: z.enum(attentions).optional().describe("See 9.8; default: the sender's own (5.1), else `queue`"),
  context: z.string().optional().describe("Background for the reader, kept apart from the content"),
  expires_in_seconds: z.number().positive().max(31_536_000).optional().describe("See 9.5"),
  metadata: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .describe(
      "Carried along, under keys of at most 200 characters, and nothing is decided by it. In an agent's message the hub sets `type: \"inter-agent\"` and `sender`; in the person's it removes both",
    ),
  sender: z
    .string()
    .max(200)
    .optional()
    .describe("May repeat the caller's own name or id; any other is `SENDER_MISMATCH`"),
};

const callbackUrl = z.url().max(2000).optional();

const letterToOne = z.strictObject({
  ...letter,
  message: letter.message
    .optional()
    .describe(
      "The content; only `http.body_limit` bounds it. May be left out where the fields of its type say it all (6.12)",
    ),
  attention: letter.attention.describe(
    "See 9.8; default: the sender's own (5.1), else `attention.http`, which is `queue` unless changed",
  ),
  type: sendableType
    .optional()
    .describe(
      "For the reader; default `message`. A `status` is always `fyi`; the types that only the hub makes (`request`, `nudge`, `broadcast`, `shutdown`, `system`) are refused, with the route that makes them",
    ),
  reply_to: messageName
    .optional()
    .describe(
      "A message that the sender sent or received, or a request: its id, its tag (20.9), or the end of its id, 4 hexadecimal digits or more. It proves that one (9.3). Where several senders used the id, the message of whoever the reply goes to is meant. The person may also name one that the recipient sent or received: the reply goes on in its thread and proves nothing",
    ),
  if_limited: z
    .enum(["hold", "reject"])
    .optional()
    .describe("What to do when it comes too soon (9.6): let it wait, or refuse it; default `cooldown.mode`"),
  status: typedFields.status.describe("Of the type `status`: sets the sender's own status (6.12)"),
  action: typedFields.action.describe("Of the type `coordination`: claims or releases the task (6.12)"),
  task: typedFields.task.describe("Of the type `coordination`: one line, without spaces around it"),
  repo: typedFields.repo.describe("Of the type `pr-review`, as `branch` and `pr`"),
  branch: typedFields.branch,
  pr: typedFields.pr,
  callbackUrl: callbackUrl.describe(
    "Carried to the reader. Where the hub has peers (`agent-comms`), it must be a peer's, and an answer to the message is POSTed to it (9.12)",
  ),
  callback_url: callbackUrl.describe("The same as `callbackUrl`; if both are given they must be equal"),
});

const sendMessageBody = letterToOne
  .refine(
    (body) =>
      body.callback_url === (body.callbackUrl ?? body.callback_url) || body.callback_url === undefined,
    { path: ["callback_url"], error: "is not what callbackUrl says; give one of the two" },
  )
  .refine((body) => hasWords(body, body.message), wordsMissing("message"))
  .superRefine((body, refuse) => checkTyped(body, body.message, refuse));

const broadcastBody = z.strictObject({
  ...letter,
  team: z.string().min(1).max(200).optional().describe("Only the agents of this team; default: all"),
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
  claimed: z.boolean().optional().describe("Of a claim: whether the sender has the task now"),
  released: z.boolean().optional().describe("Of a release: whether the task is free now"),
  owner: z.string().nullable().optional().describe("Who has that task now"),
  tmux: tmuxView,
});

/** A message as a reader gets it. */
export const messageView = z.object({
  id: z.string(),
  seq: z.number(),
  type: z.enum(messageTypes),
  from: z.string().describe("The name at the time of sending; `hub` for what the hub itself writes (9.9)"),
  to: z.string().describe("The name at the time of sending; `all` or the team for a broadcast"),
  content: z.string(),
  timestamp: z.string(),
  context: z.string().optional(),
  reply_to: z.string().optional(),
  forwarded_from: z
    .string()
    .optional()
    .describe("Whom it was written to, where that one handed its work over"),
  thread: z.string().optional().describe("The message that began the thread (6.6)"),
  conversation: z.string().describe("See 9.7"),
  hop: z.number().describe("See 9.7"),
  request_id: z.string().optional().describe("The request that it is, or is about (14.1)"),
  task_id: z.string().optional().describe("The task that it assigns (22.1)"),
  claimed_by: z.string().optional().describe("Who has that request"),
  callback_url: z.string().optional(),
  attention: z.enum(attentions),
  source: z.enum(messageSources).describe("`user` and `applet` (17.2): the person"),
  applet: z.string().optional().describe("The name of the applet"),
  fromSession: z
    .string()
    .optional()
    .describe("The id of the agent that sent it, to call it back under (17.2)"),
  trust: z
    .enum(["human", "local", "peer", "callback"])
    .describe("Where the sender was authenticated: `peer` is another hub; `callback` is reserved"),
  notice: z.enum(noticeKinds).optional().describe("What the hub itself says by it (9.9)"),
  status: z.enum(saidStatuses).optional().describe("What its sender says of itself (6.12)"),
  action: z.enum(coordinationActions).optional(),
  task: z.string().optional().describe("What a coordination or a handoff is about"),
  claimed: z.boolean().optional().describe("Of a claim: whether the sender had the task then"),
  released: z.boolean().optional().describe("Of a release: whether the task was free then"),
  owner: z.string().nullable().optional().describe("Who had that task then"),
  repo: z.string().optional(),
  branch: z.string().optional(),
  pr: z.number().optional(),
  memory: z.string().optional().describe("The name of the memory that it points at"),
  version: z.number().optional().describe("Which version of that memory"),
  metadata: z.record(z.string(), z.unknown()).optional(),
  repeated: z.literal(true).optional().describe("It was handed out before"),
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
  tmux: tmuxView,
  state: receiptState,
  at: z.string(),
  evidence: z.string().nullable(),
  reason: z.string().nullable(),
  until: z.string().optional().describe("While a cooldown holds it: when that is over"),
  steps: z.array(deliveryStep),
});

export const messageStatus = z.object({ message: messageView, deliveries: z.array(deliveryView) });

const historyQuery = z.strictObject({
  before: z.number().int().min(1).optional().describe("Only what has a lower `seq`: newest first"),
  after: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Only what has a higher `seq`: oldest first. Not together with `before`"),
  limit: z.number().int().min(1).max(200).default(50),
});

export const receiptFields = {
  deliveries: z
    .array(deliveryView)
    .describe("As in 6.4: the agent's own of what it got; of what it sent to many, the first 20"),
  recipients: z.number().describe("How many it went to"),
};

/** `next` goes into `before`, or into `after` where that was asked for; null: there are no more in that direction. */
const history = z.object({
  messages: z.array(messageView.extend(receiptFields)),
  next: z.number().nullable(),
  behind: z
    .number()
    .describe(
      "How many of the newest events of the journal the history does not have yet: none, or a few for a moment. After an update the hub may read its journal anew; until then messages are missing",
    ),
});

const inboxQuery = z.strictObject({
  from: z.string().min(1).max(200).optional().describe("Only from this sender, by name"),
  request_id: z.string().min(1).max(200).optional().describe("Only what answers this request (14.6)"),
  after: z.number().int().min(0).optional().describe("Only what has a higher `seq`"),
  wait: z
    .number()
    .min(0)
    .optional()
    .describe("Seconds to wait until there is something; default 0, cut to `inbox.wait_max`"),
});

const inboxPage = z.object({ messages: z.array(messageView), more: z.boolean() });

const ackBody = z.strictObject({
  ids: z.array(messageName).min(1).max(1000).describe("Messages in the inbox"),
});

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
      "CALLBACK_NOT_ALLOWED",
      "SENDER_MISMATCH",
      "ID_REUSED",
      "REPLY_TARGET_NOT_FOUND",
      "REPLY_AMBIGUOUS",
      "INBOX_FULL",
      "RATE_LIMITED",
      "CONVERSATION_FROZEN",
      "REQUEST_EXPIRED",
      "NOT_CLAIMER",
      "REQUEST_ANSWERED",
      "CLAIMS_FULL",
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
  history: {
    method: "GET",
    path: "/api/agents/:name/messages",
    summary:
      "What an agent sent and got, newest first, with how far each message has come: its own for an agent, anybody's for the operator",
    access: "member",
    query: historyQuery,
    status: 200,
    response: history,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "TOO_MANY_READERS"],
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
    summary:
      "Unread messages; with `wait` (seconds, at most `inbox.wait_max`) answers as soon as there is one",
    access: "member",
    query: inboxQuery,
    status: 200,
    response: inboxPage,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "REQUEST_NOT_FOUND", "TOO_MANY_READERS"],
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
