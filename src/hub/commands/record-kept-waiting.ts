import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { isPaneWait, type PaneWait } from "../../model/delivery.js";
import { newEvent } from "../../model/events.js";
import type { PaneState } from "../../model/hosting.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { HubDecider } from "../context.js";
import { deliveryRef } from "../rules/delivery-ref.js";
import { isOfferedInPane } from "../rules/offered-in-pane.js";
import { presentAgent } from "../rules/present-agent.js";
import { tellKeptWaiting } from "../rules/tell-kept-waiting.js";

type RecordKeptWaiting = {
  agent: AgentId;
  reason: PaneWait;
  screen?: PaneState | undefined;
  /** The mail that its pane was to take, and for how long that was tried. */
  waits: readonly { seq: number; waitedMs: number }[];
};

/**
 * A pane did not take its mail in time. That goes on waiting; its senders are told, once for each delivery. What the agent
 * got meanwhile in another way does not wait.
 */
export const recordKeptWaiting: HubDecider<RecordKeptWaiting, void> = (input, context) => {
  const { views } = context;
  const agent = presentAgent(views, input.agent);
  const deliveries = input.waits.flatMap(({ seq, waitedMs }) => {
    const delivery = views.inbox.get(seq, agent.id);
    return delivery !== undefined && waitsUntold(delivery)
      ? [{ ...deliveryRef(views, delivery), waitedMs }]
      : [];
  });
  if (deliveries.length === 0) return decided([], undefined);
  const { reason, screen } = input;
  const kept = { agent: agent.id, reason, ...(screen === undefined ? {} : { screen }), deliveries };
  return decided(
    [newEvent("MessagesKeptWaiting", agent.id, kept), ...tellKeptWaiting(context, agent, kept)],
    undefined,
  );
};

function waitsUntold(delivery: Delivery): boolean {
  const { state, steps } = delivery;
  // Of what its pane was pointed at the agent knows.
  const isOffered = isOfferedInPane(delivery) && steps.at(-1)?.state !== "injected";
  return (state === "accepted" || isOffered) && !steps.some(({ reason }) => isPaneWait(reason));
}
