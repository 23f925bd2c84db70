import { type Agent, type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { MessageType, Metadata, NoticeKind } from "../../model/message.js";
import type { Typed } from "../../model/typed-message.js";
import type { HubContext } from "../context.js";

export type Notice = {
  /** The hub itself, unless said otherwise; by its id, or as it is where it is only just met. */
  from?: AgentId | Agent;
  to: readonly AgentId[];
  /** What it is addressed to, when that is not one agent: `all`. */
  toName?: string;
  type: MessageType;
  content: string;
  context?: string | undefined;
  attention: Attention;
  requestId?: string;
  replyTo?: string;
  id?: string;
  notice?: NoticeKind;
  typed?: Typed;
  metadata?: Metadata;
  /** Hub time. */
  expiresAt?: number;
  /** What it goes on with, where it may wake an agent; else it begins a conversation. */
  conversation?: string;
  hop?: number;
};

/** A message that the hub makes as part of a decision: no cooldown, no budget, no cap, and as a rule a conversation of its own. */
export function notify({ views, newId }: HubContext, notice: Notice): NewEvent {
  const { from = HUB_ID } = notice;
  const sender = typeof from === "string" ? views.roster.byId(from) : from;
  if (sender === undefined)
    throw new HubError("INTERNAL", `No sender ${typeof from === "string" ? from : from.id}`);
  const to = notice.to.map((agent) => ({ agent, name: views.roster.byId(agent)?.name ?? agent }));
  const id = notice.id ?? newId();
  const byHuman = sender.id === HUMAN_ID;
  const byAgent = !byHuman && sender.id !== HUB_ID;
  return newEvent("MessageAccepted", to.length === 1 ? (to[0]?.agent ?? null) : null, {
    message: {
      id,
      type: notice.type,
      from: sender.id,
      fromName: sender.name,
      to,
      toName: notice.toName ?? (to.length === 1 ? to[0]?.name : undefined) ?? "all",
      content: notice.content,
      ...(notice.context === undefined ? {} : { context: notice.context }),
      ...(notice.replyTo === undefined ? {} : { replyTo: notice.replyTo }),
      ...(notice.requestId === undefined ? {} : { requestId: notice.requestId }),
      ...(notice.notice === undefined ? {} : { notice: notice.notice }),
      ...(notice.typed === undefined ? {} : { typed: notice.typed }),
      attention: notice.attention,
      source: byHuman ? "user" : "agent",
      trust: byHuman ? "human" : sender.hub === null ? "local" : "peer",
      metadata: { ...notice.metadata, ...(byAgent ? { type: "inter-agent", sender: sender.name } : {}) },
      conversation: notice.conversation ?? id,
      hop: notice.hop ?? 0,
    },
    ...(notice.expiresAt === undefined ? {} : { expiresAt: notice.expiresAt }),
  });
}
