import type { AgentId } from "../../model/agent.js";
import type { DeliveryRef, DeliveryState } from "../../model/delivery.js";
import type { TurnId } from "../../model/turn.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { TightViews } from "../../views/tight.js";
import { deliveryRef } from "./delivery-ref.js";

/** What an open turn carries, by how far it has come. Empty when that turn is not the agent's open one. */
type TurnDeliveries = {
  isOpen: boolean;
  all: DeliveryRef[];
  in(...states: DeliveryState[]): DeliveryRef[];
  /** What was put into nobody by it, nor read by the agent itself since. */
  notHandedOut(): DeliveryRef[];
};

export function turnDeliveries(views: TightViews, agent: AgentId, turn: TurnId): TurnDeliveries {
  const open = views.turns.open(agent);
  if (open === undefined || open.id !== turn)
    return { isOpen: false, all: [], in: () => [], notHandedOut: () => [] };
  const deliveries = open.deliveries.flatMap((seq) => views.inbox.get(seq, agent) ?? []);
  const refs = (isMeant: (delivery: Delivery) => boolean) =>
    deliveries.filter(isMeant).map((delivery) => deliveryRef(views, delivery));
  return {
    isOpen: true,
    all: refs(() => true),
    in: (...states) => refs(({ state }) => states.includes(state)),
    notHandedOut: () => refs((one) => one.state === "injected" || isOfferedBy(one, turn)),
  };
}

/** Its last offer is that of this turn, and not one by which the agent read it. */
export function isOfferedBy({ state, steps }: Delivery, turn: TurnId): boolean {
  return state === "offered" && steps.findLast((step) => step.state === "offered")?.turn === turn;
}
