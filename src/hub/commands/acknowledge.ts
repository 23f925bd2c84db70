import type { AgentId } from "../../model/agent.js";
import type { DeliveryRef } from "../../model/delivery.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { MessageId } from "../../model/message.js";
import type { HubDecider } from "../context.js";
import { startTasks } from "../rules/start-tasks.js";

type Acknowledge = { agent: AgentId; ids: readonly MessageId[] };

type Acknowledged = { acknowledged: MessageId[]; unknown: MessageId[] };

/** The agent names messages that it has: they are seen. Saying so twice is harmless. */
export const acknowledge: HubDecider<Acknowledge, Acknowledged> = (input, context) => {
  const { messages, inbox } = context.views;
  const acknowledged: MessageId[] = [];
  const unknown: MessageId[] = [];
  const seen = new Map<number, DeliveryRef>();
  for (const id of new Set(input.ids)) {
    const deliveries = messages.byId(id).flatMap(({ seq }) => inbox.get(seq, input.agent) ?? []);
    (deliveries.length === 0 ? unknown : acknowledged).push(id);
    for (const { seq, sender, state } of deliveries) {
      if (state === "accepted" || state === "offered" || state === "injected") {
        seen.set(seq, { seq, id, from: sender });
      }
    }
  }
  if (acknowledged.length === 0) {
    throw new HubError("MESSAGE_NOT_FOUND", "None of these ids is a message in your inbox", { unknown });
  }
  const deliveries = [...seen.values()];
  return {
    events:
      deliveries.length === 0
        ? []
        : [
            newEvent("MessagesSeen", input.agent, { agent: input.agent, evidence: "ack", deliveries }),
            ...startTasks(context, deliveries),
          ],
    answer: () => ({ acknowledged, unknown }),
  };
};
