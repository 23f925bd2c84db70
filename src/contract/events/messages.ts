import { z } from "zod";
import { agent, deliveries, delivery, number, text } from "./parts.js";

const addressee = z.object({
  agent,
  name: text,
  pace: z.object({ level: number, due: number, keep: number }).optional(),
  hold: z.object({ reason: text, until: number.optional() }).optional(),
});

const message = z.object({
  id: text,
  type: text,
  from: agent,
  fromName: text,
  to: z.array(addressee).readonly(),
  toName: text,
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
  notice: text.optional(),
  taskId: text.optional(),
  causes: z.array(text).readonly().optional(),
  conversation: text,
  hop: number,
});

export const messageEvents = {
  MessageAccepted: z.object({ message, expiresAt: number.optional() }),
  MessagesOffered: z.object({
    agent,
    route: text,
    turn: text.optional(),
    continues: z.literal(true).optional(),
    deliveries: z.array(delivery.extend({ attempt: number, note: text.optional() })).readonly(),
  }),
  /** `pointer`: the agent was only told that they are there. */
  MessagesInjected: z.object({
    agent,
    turn: text,
    evidence: text,
    pointer: z.literal(true).optional(),
    deliveries,
  }),
  MessagesSeen: z.object({ agent, evidence: text, turn: text.optional(), deliveries }),
  MessagesFinished: z.object({
    agent,
    turn: text,
    stop: text,
    error: text.optional(),
    with: number,
    deliveries,
  }),
  MessagesReturned: z.object({ agent, turn: text, reason: text, deliveries }),
  MessageAnswered: z.object({ agent, delivery, by: text }),
  MessageReleased: z.object({ agent, delivery }),
  MessageExpired: z.object({ agent, delivery }),
  DeliveriesFailed: z.object({ agent, reason: text, deliveries }),
  ConversationPaused: z.object({ conversation: text, reason: text, hop: number, messages: number }),
  ConversationResumed: z.object({ conversation: text, hop: number }),
  ConversationFrozen: z.object({ conversation: text }),
} as const;
