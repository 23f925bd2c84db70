import type { DeliveryRef } from "../../model/delivery.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { TightViews } from "../../views/tight.js";

export function deliveryRef(views: TightViews, delivery: Delivery): DeliveryRef {
  const message = views.messages.bySeq(delivery.seq)?.data.message;
  return { seq: delivery.seq, id: message?.id ?? "", from: delivery.sender };
}
