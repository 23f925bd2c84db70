import { absence } from "../../hub/rules/absence.js";
import { isOpen, paneWait, type ReceiptState } from "../../model/delivery.js";
import type { WantedStatus } from "../../model/search-query.js";
import type { Viewer } from "../../model/viewer.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { StoredMessage } from "../../views/messages.js";
import type { TightViews } from "../../views/tight.js";

/** Whether a delivery of the message that this viewer may know of is in one of these states; any, when none is named. */
export function hasStatus(
  views: TightViews,
  { seq, data: { message } }: StoredMessage,
  wanted: readonly WantedStatus[],
  viewer: Viewer,
): boolean {
  if (wanted.length === 0) return true;
  const knowsAll = viewer.kind === "operator" || message.from === viewer.id;
  return message.to.some(({ agent }) => {
    if (!knowsAll && agent !== viewer.id) return false;
    const delivery = views.inbox.get(seq, agent);
    return delivery !== undefined && wanted.some((status) => isIn(views, delivery, status));
  });
}

function isIn(views: TightViews, delivery: Delivery, status: WantedStatus): boolean {
  return status === "undelivered" ? isOpen(delivery.state) : shownState(views, delivery) === status;
}

/** As a receipt shows it: what waits for somebody who is not there is held. */
function shownState(views: TightViews, delivery: Delivery): ReceiptState {
  if (delivery.answeredBy !== null) return "answered";
  const isHeld =
    delivery.state === "accepted" &&
    (paneWait(delivery.steps) !== undefined || absence(views, delivery.recipient) !== undefined);
  return isHeld ? "held" : delivery.state;
}
