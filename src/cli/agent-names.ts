import type { EventFrame } from "../client/event-socket.js";
import { readEvent } from "../contract/events/events.js";
import { HUMAN_ID, HUMAN_NAME } from "../model/agent.js";

/** Who is behind an id, learned from the roster and from what goes by. */
export type AgentNames = { of(id: string): string; learn(frame: EventFrame): void };

export function agentNames(known: Iterable<{ id: string; name: string }>): AgentNames {
  const names = new Map([[HUMAN_ID, HUMAN_NAME]]);
  for (const { id, name } of known) names.set(id, name);
  return {
    // Of somebody who left before we looked, the start of the id is all there is.
    of: (id) => names.get(id) ?? id.slice(0, 8),
    learn(frame) {
      const event = readEvent(frame);
      switch (event?.type) {
        case "AgentRegistered":
        case "AgentDeregistered":
          names.set(event.data.agent, event.data.name);
          break;
        case "AgentRenamed":
          names.set(event.data.agent, event.data.to);
          break;
        case "MessageAccepted": {
          const { message } = event.data;
          for (const { id, name } of [
            { id: message.from, name: message.fromName },
            ...message.to.map(({ agent, name }) => ({ id: agent, name })),
          ]) {
            if (!names.has(id)) names.set(id, name);
          }
          break;
        }
        default:
      }
    },
  };
}
