import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { DeliveryRef, Proof } from "../../model/delivery.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { startTasks } from "../rules/start-tasks.js";

/** `seqs` are the messages, by their place in the journal: an id may be that of several senders. */
type ProveArrival = { agent: AgentId; seqs: readonly number[]; evidence: Proof };

/**
 * Messages that were handed to the agent have arrived. What it was never offered cannot have, and what has ended stays as it
 * is. Answers the ids that count as seen by this.
 */
export const proveArrival: HubDecider<ProveArrival, string[]> = (input, context) => {
  const { agent, seqs, evidence } = input;
  const { views } = context;
  const deliveries = [...new Set(seqs)].flatMap((seq): DeliveryRef[] => {
    const delivery = views.inbox.get(seq, agent);
    const message = views.messages.bySeq(seq)?.data.message;
    if (delivery?.state !== "offered" || message === undefined) return [];
    return [{ seq, id: message.id, from: message.from }];
  });
  return decided(
    deliveries.length === 0
      ? []
      : [
          newEvent("MessagesSeen", agent, { agent, evidence, deliveries }),
          ...startTasks(context, deliveries),
        ],
    deliveries.map(({ id }) => id),
  );
};
