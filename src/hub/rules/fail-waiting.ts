import type { AgentId } from "../../model/agent.js";
import type { DeliveryRef, FailReason } from "../../model/delivery.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { bounce } from "./bounce.js";
import { deliveryRef } from "./delivery-ref.js";

type Failing = {
  reason: FailReason;
  why: string;
  /** What comes back to the inbox by the same decision. */
  returned?: readonly DeliveryRef[];
};

/** Everything in an agent's inbox fails, and its senders are told why. */
export function failWaiting(
  context: HubContext,
  agent: AgentId,
  { reason, why, returned = [] }: Failing,
): NewEvent[] {
  const { views } = context;
  const back = new Set(returned.map(({ seq }) => seq));
  const open = views.inbox.open(agent).filter(({ seq }) => !back.has(seq));
  const deliveries = [...open.map((delivery) => deliveryRef(views, delivery)), ...returned].sort(
    (a, b) => a.seq - b.seq,
  );
  if (deliveries.length === 0) return [];
  const failures = deliveries
    // Whoever asked it to go need not be told that it did not read that: it has gone.
    .filter(({ seq }) => reason !== "agent_gone" || !isShutdown(context, seq))
    .map((delivery) => ({ agent, delivery }));
  return [
    newEvent("DeliveriesFailed", agent, { agent, reason, deliveries }),
    ...bounce(context, failures, why),
  ];
}

function isShutdown({ views }: HubContext, seq: number): boolean {
  return views.messages.bySeq(seq)?.data.message.type === "shutdown";
}
