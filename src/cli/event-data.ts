import { z } from "zod";
import type { EventFrame } from "../client/event-socket.js";
import type { EventType } from "../model/events.js";

const text = z.string();
const delivery = z.object({ id: text, from: text });
const deliveries = z.array(delivery);

function event<T extends EventType, D extends z.ZodRawShape>(type: T, data: D) {
  return z.object({ type: z.literal(type), data: z.object(data) });
}

/** Of each event what a person is told. Loose: a newer hub may add fields, and types that we do not know. */
const shown = z.discriminatedUnion("type", [
  event("AgentRegistered", { agent: text, name: text, team: text, backend: text.nullable() }),
  event("AgentRenamed", { agent: text, from: text, to: text }),
  event("AgentUpdated", {
    agent: text,
    project: text.optional(),
    team: text.optional(),
    model: text.optional(),
  }),
  event("AgentDeregistered", { agent: text, name: text, reason: text }),
  event("NameReleased", { agent: text, name: text }),
  event("PresenceChanged", { agent: text, status: text, evidence: text }),
  event("MessageAccepted", {
    message: z.object({
      id: text,
      type: text,
      from: text,
      fromName: text,
      to: z.array(z.object({ agent: text, name: text })),
      toName: text,
      content: text,
    }),
  }),
  event("MessagesOffered", { agent: text, route: text, deliveries }),
  event("MessagesSeen", { agent: text, evidence: text, deliveries }),
  event("MessagesInjected", { agent: text, evidence: text, deliveries }),
  event("MessagesFinished", { agent: text, stop: text, deliveries }),
  event("MessagesReturned", { agent: text, reason: text, deliveries }),
  event("TurnEnded", { agent: text, stop: text, error: text.optional(), text: text }),
  event("SpawnRequested", { agent: text, by: text }),
  event("AgentStarted", { agent: text, resumed: z.boolean() }),
  event("SpawnFailed", { agent: text, error: text }),
  event("AgentCrashed", { agent: text, why: text, retryInMs: z.number().nullable() }),
  event("SessionChanged", { agent: text, session: text }),
  event("AgentStopped", { agent: text, reason: text }),
  event("ShutdownRequested", { agent: text, by: text }),
  event("KillRequested", { agent: text, by: text }),
  event("PermissionRequested", {
    permission: z.object({ id: text, agent: text, title: text, act: text }),
  }),
  event("PermissionAnswered", { agent: text, permission: text, outcome: text }),
  event("MessageAnswered", { agent: text, delivery, by: text }),
  event("MessageReleased", { agent: text, delivery }),
  event("MessageExpired", { agent: text, delivery }),
  event("DeliveriesFailed", { agent: text, reason: text, deliveries }),
  event("ConversationPaused", { conversation: text, reason: text }),
  event("ConversationResumed", { conversation: text }),
  event("ConversationFrozen", { conversation: text }),
  event("RequestOpened", { request: z.object({ id: text, from: text, description: text }) }),
  event("RequestNudged", { request: text, from: text, by: text }),
  event("RequestClaimed", { request: text, from: text, by: text }),
  event("RequestReopened", { request: text, from: text, reason: text }),
  event("RequestAnswered", { request: text, from: text, by: text }),
  event("RequestExpired", { request: text, from: text }),
  event("WorkClaimed", { claim: z.object({ task: text, owner: text }) }),
  event("WorkReleased", { task: text, owner: text, reason: text }),
]);

export type ShownEvent = z.output<typeof shown>;

export const shownTypes: readonly string[] = shown.options.map((option) => option.shape.type.value);

/** The event that a frame carries, or undefined for one that this program does not know. */
export function readEvent({ type, data }: EventFrame): ShownEvent | undefined {
  return shown.safeParse({ type, data }).data;
}

/** Every agent that an event is about. */
export function agentsIn(frame: EventFrame): Set<string> {
  const event = readEvent(frame);
  const agents = new Set(frame.sessionId === null ? [] : [frame.sessionId]);
  if (event === undefined) return agents;
  if (event.type === "MessageAccepted") {
    agents.add(event.data.message.from);
    for (const to of event.data.message.to) agents.add(to.agent);
    return agents;
  }
  for (const agent of concerned(event)) agents.add(agent);
  if ("delivery" in event.data) agents.add(event.data.delivery.from);
  if ("deliveries" in event.data) for (const { from } of event.data.deliveries) agents.add(from);
  return agents;
}

/** Who did or suffered it, the one that the line is about first. */
export function concerned(event: Exclude<ShownEvent, { type: "MessageAccepted" }>): string[] {
  switch (event.type) {
    case "RequestClaimed":
    case "RequestAnswered":
      return [event.data.by, event.data.from];
    case "ConversationPaused":
    case "ConversationResumed":
    case "ConversationFrozen":
      return [];
    case "RequestOpened":
      return [event.data.request.from];
    case "RequestNudged":
    case "RequestReopened":
    case "RequestExpired":
      return [event.data.from];
    case "WorkClaimed":
      return [event.data.claim.owner];
    case "WorkReleased":
      return [event.data.owner];
    case "PermissionRequested":
      return [event.data.permission.agent];
    default:
      return [event.data.agent];
  }
}
