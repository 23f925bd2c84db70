import type { EventFrame } from "../client/event-socket.js";
import { readEvent, type ShownEvent } from "../contract/events/events.js";

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
