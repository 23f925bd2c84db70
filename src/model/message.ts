import type { AgentId } from "./agent.js";
import type { Attention } from "./attention.js";
import type { Typed } from "./typed-message.js";

export const messageTypes = [
  "message",
  "request",
  "response",
  "nudge",
  "broadcast",
  "shutdown",
  "text",
  "status",
  "coordination",
  "pr-review",
  "memory",
  "handoff",
  "system",
] as const;
export type MessageType = (typeof messageTypes)[number];

/** Made by commands of the hub's own, each of which decides more than a message: nobody sends them by themselves. */
const madeTypes = ["request", "nudge", "broadcast", "shutdown", "system"] as const;
export type SendableType = Exclude<MessageType, (typeof madeTypes)[number]>;

/** Of a type that only a later version knows, no. */
export function isSendable(type: MessageType): type is SendableType {
  return messageTypes.includes(type) && !madeTypes.some((made) => made === type);
}

/**
 * What the hub tells somebody: that a message came back or waits, who failed or died, what became of a request, that it asks,
 * that it stops, that an agent reached its vendor's usage limit, what one was not let do, that mail was sent together with
 * what somebody typed, what became of a task, that mail of another hub is missing, that another hub was not understood.
 */
export const noticeKinds = [
  "bounce",
  "failure",
  "death",
  "claimed",
  "reopened",
  "expired",
  "ask",
  "refused",
  "stop",
  "held",
  "limit",
  "denied",
  "mixed",
  "task",
  "gap",
  "skipped",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const messageSources = ["user", "applet", "agent"] as const;
export type MessageSource = (typeof messageSources)[number];

/** How far the words of a message can be trusted: by where its sender was authenticated. */
type Trust = "human" | "local" | "peer" | "callback";

export type MessageId = string;
export type ConversationId = string;

/** Carried along for the reader. Senders write it, so nothing is ever decided by it. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Why a delivery waits although its recipient could read it. */
export type HoldReason = "cooldown" | "budget" | "backstop" | "paused";

/** One recipient of a message, as decided when it was accepted; `hold` when it is not to be read at once. */
export type Addressee = { agent: AgentId; name: string; pace?: Pace; hold?: Hold };

/**
 * Where this message left the cooldown of its pair: the level, when in hub time it is due, and how many acceptances are
 * remembered for the cap of a minute.
 */
export type Pace = { level: number; due: number; keep: number };

/** `until` is hub time; without it only the person lets the message go. */
type Hold = { reason: HoldReason; until?: number };

export type Message = {
  id: MessageId;
  type: MessageType;
  from: AgentId;
  /** Names as they were when it was sent: a later rename does not rewrite history. */
  fromName: string;
  /** What people and models read instead, where its sender is another hub that has a label. */
  fromLabel?: string;
  to: readonly Addressee[];
  /** What the sender addressed: a name, or `all`. */
  toName: string;
  /** Whom it was written to, where that one's mail goes to another. */
  forwardedFrom?: { agent: AgentId; name: string };
  content: string;
  context?: string;
  replyTo?: MessageId;
  attention: Attention;
  source: MessageSource;
  trust: Trust;
  metadata?: Metadata;
  expiresInMs?: number;
  /** The message that began the thread this one is in. */
  thread?: MessageId;
  /** The request that this opens, answers or is about. */
  requestId?: string;
  /** Which applet the person used (source `applet`). */
  applet?: string;
  /** The hub made this message to say so. Stated by the hub alone: no surface reads it from a caller. */
  notice?: NoticeKind;
  /** The task that this assigns to its reader. Stated by the hub alone, too. */
  taskId?: string;
  callbackUrl?: string;
  /** What its fields say, of a type of document 004. */
  typed?: Typed;
  /** What the sender had been handed when it sent this: a conversation is the messages that caused each other. */
  causes?: readonly MessageId[];
  conversation: ConversationId;
  /** How many agents' messages lie between this one and its beginning. */
  hop: number;
};
