import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { MIXED } from "../../model/delivery.js";
import { newEvent } from "../../model/events.js";
import type { TurnId } from "../../model/turn.js";
import type { HubDecider } from "../context.js";
import { presentAgent } from "../rules/present-agent.js";
import { tellMixed } from "../rules/tell-mixed.js";
import { turnDeliveries } from "../rules/turn-deliveries.js";

type RecordMixed = {
  agent: AgentId;
  turn: TurnId;
  /** What was typed. It may be private to the person, who alone is told. */
  words: string;
};

/** What somebody typed in the pane was sent together with the turn's mail. The agent has that; both sides are told, once for each turn. */
export const recordMixed: HubDecider<RecordMixed, void> = ({ agent: id, turn, words }, context) => {
  const { views } = context;
  const agent = presentAgent(views, id);
  const deliveries = turnDeliveries(views, id, turn).all;
  const isKnown = deliveries.some(({ seq }) =>
    views.inbox.get(seq, id)?.steps.some((step) => step.turn === turn && step.reason === MIXED),
  );
  if (deliveries.length === 0 || isKnown) return decided([], undefined);
  return decided(
    [
      newEvent("MessagesMixed", id, { agent: id, turn, deliveries }),
      ...tellMixed(context, agent, { words, deliveries }),
    ],
    undefined,
  );
};
