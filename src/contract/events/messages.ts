import { z } from "zod";
import { agent, deliveries, delivery, number, text } from "./parts.js";

const addressee = z.object({
  agent,
  name: text,
  pace: z.object({ level: number, due: number, keep: number }).optional(),
  hold: z.object({ reason: text, until: number.optional() }).optional(),
});

/** What the fields of a type of document 004 say; `kind` is the type. */
const typed = z.object({
  kind: text,
  status: text.optional(),
  action: text.optional(),
  task: text.optional(),
  ok: z.boolean().optional(),
  owner: text.nullable().optional(),
  since: number.optional(),
  leaseMs: number.optional(),
  told: z.literal(true).optional(),
  work: z.array(text).readonly().optional(),
  repo: text.optional(),
  branch: text.optional(),
  pr: number.optional(),
  name: text.optional(),
  version: number.optional(),
});

const message = z.object({
  id: text,
  type: text,
  from: agent,
  fromName: text,
  fromLabel: text.optional(),
  to: z.array(addressee).readonly(),
  toName: text,
  forwardedFrom: z.object({ agent, name: text }).optional(),
  content: text,
  context: text.optional(),
  replyTo: text.optional(),
  attention: text,
  source: text,
  trust: text,
  metadata: z.record(z.string(), z.unknown()).readonly().optional(),
  expiresInMs: number.optional(),
  thread: text.optional(),
  requestId: text.optional(),
  applet: text.optional(),
  callbackUrl: text.optional(),
  typed: typed.optional(),
  notice: text.optional(),
  taskId: text.optional(),
  causes: z.array(text).readonly().optional(),
  conversation: text,
  hop: number,
});

export const messageEvents = {
  MessageAccepted: z
    .object({ message, expiresAt: number.optional() })
    .describe(
      "It is in the inbox. `pace` (9.6) and `hold` say what it waits for; `due`, `until` and `expiresAt` are hub time",
    ),
  MessagesOffered: z
    .object({
      agent,
      route: text,
      turn: text.optional(),
      continues: z.literal(true).optional(),
      deliveries: z.array(delivery.extend({ attempt: number, note: text.optional() })).readonly(),
    })
    .describe(
      "Handed out by the `route` `inbox`, `wait` or `hook`, for a `turn` by `runtime` or `pane`, or given to the hub where the agent lives by `link`. `continues`: the turn before was cut. `note`: `nothing_to_cancel`, or `goes_on` of what the agent has from before the hub ended (20.5)",
    ),
  MessagesInjected: z
    .object({
      agent,
      turn: text.optional(),
      evidence: text,
      pointer: z.literal(true).optional(),
      deliveries,
    })
    .describe(
      "The runtime took them; `evidence`: `acp_prompt`, `process_started`, `pane_took_it`; or the hub where the agent lives has them: `peer_stored`. `pointer`: the agent was only told that they are there",
    ),
  MessagesSeen: z
    .object({ agent, evidence: text, turn: text.optional(), deliveries })
    .describe(
      "Proven, by the `evidence` `ack`, `reply`, `next_call`, `hook`, `output`, `turn_end` or `peer`",
    ),
  MessagesFinished: z
    .object({
      agent,
      turn: text.optional(),
      stop: text,
      error: text.optional(),
      with: number,
      deliveries,
    })
    .describe("The turn that carried them ended (20.6), `with` so many others in it"),
  MessagesReturned: z
    .object({ agent, turn: text, reason: text, deliveries })
    .describe(
      "They wait again; `reason`: `not_taken`, `interrupted`, `died`, `hub_restart`, `hub_stop`, `limited`, `paused`",
    ),
  MessagesKeptWaiting: z
    .object({
      agent,
      reason: text,
      screen: text.optional(),
      deliveries: z.array(delivery.extend({ waitedMs: number })).readonly(),
    })
    .describe(
      "Its pane did not take them (9.10), and their senders were told: `reason` is `pane_not_ready` or `pane_did_not_take`, `screen` what it showed (`draft`, `dialog`, `busy`, `starting`, `copy-mode`, `ready`)",
    ),
  MessagesMixed: z
    .object({ agent, turn: text, deliveries })
    .describe("What somebody typed in the pane was sent together with them (9.11), and both sides were told"),
  MessageAnswered: z.object({ agent, delivery, by: text }).describe("`by` is the id of the answer"),
  MessageReleased: z.object({ agent, delivery }).describe("Its hold ended; it may be read now"),
  MessageExpired: z.object({ agent, delivery }).describe("Not handed out in time"),
  DeliveriesFailed: z
    .object({ agent, reason: text, deliveries })
    .describe(
      "`reason`: `agent_gone`, `frozen`, `died`, `not_started`, `not_read`, `hub_restart`, `cancelled`, `peer_failed`, `peer_refused`, `peer_removed`",
    ),
  ConversationPaused: z
    .object({ conversation: text, reason: text, hop: number, messages: number })
    .describe("The person was asked; `reason`: `budget`, `backstop`"),
  ConversationResumed: z
    .object({ conversation: text, hop: number })
    .describe("It goes on, with a new budget from `hop` on"),
  ConversationFrozen: z.object({ conversation: text }).describe("The person ended it"),
} as const;
