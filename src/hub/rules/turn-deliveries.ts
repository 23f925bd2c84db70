import type { AgentId } from "../../model/agent.js";
import type { DeliveryRef, DeliveryState } from "../../model/delivery.js";
import type { TurnId } from "../../model/turn.js";
import type { TightViews } from "../../views/tight.js";
import { deliveryRef } from "./delivery-ref.js";

/** What an open turn carries, by how far it has come. Empty when that turn is not the agent's open one. */
type TurnDeliveries = {
  isOpen: boolean;
  all: DeliveryRef[];
  in(...states: DeliveryState[]): DeliveryRef[];
};

export function turnDeliveries(views: TightViews, agent: AgentId, turn: TurnId): TurnDeliveries {
  const open = views.turns.open(agent);
  if (open === undefined || open.id !== turn) return { isOpen: false, all: [], in: () => [] };
  const deliveries = open.deliveries.flatMap((seq) => views.inbox.get(seq, agent) ?? []);
  return {
    isOpen: true,
    all: deliveries.map((delivery) => deliveryRef(views, delivery)),
    in: (...states) =>
      deliveries
        .filter(({ state }) => states.includes(state))
        .map((delivery) => deliveryRef(views, delivery)),
  };
}
