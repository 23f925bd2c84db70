import { type Agent, HUMAN_ID } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext } from "../context.js";
import { deliveryRef } from "./delivery-ref.js";
import { isPairPaused } from "./kept-back.js";

/** Lets held deliveries be read, oldest first. */
export function releaseHeld(views: TightViews, held: readonly Delivery[]): NewEvent[] {
  return held.map((delivery) =>
    newEvent("MessageReleased", delivery.recipient, {
      agent: delivery.recipient,
      delivery: deliveryRef(views, delivery),
    }),
  );
}

/** A word of the person lets go what waited because agents had been alone for too long. */
export function releaseUnattended(sender: Agent, context: HubContext): NewEvent[] {
  if (sender.id !== HUMAN_ID) return [];
  const held = context.views.inbox.heldFor("backstop");
  return releaseHeld(
    context.views,
    held.filter((delivery) => !isPairPaused(delivery, context)),
  );
}
