import { HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { AskedPermission } from "../../views/permissions.js";
import type { TightViews } from "../../views/tight.js";
import { addressNow } from "./address-of.js";

type Answer = Pick<AskedPermission, "outcome" | "by" | "via" | "reason" | "answeredAt">;

/** How a permission request was answered, by whom and from where, as far as that is known. */
export function shownAnswer(views: TightViews, { outcome, by, via, reason, answeredAt }: Answer) {
  return {
    ...(outcome === null ? {} : { outcome }),
    ...(by === null ? {} : { by: by === HUB_ID ? "hub" : addressNow(views, by, by, HUMAN_ID) }),
    ...(via === null ? {} : { via }),
    ...(reason === null ? {} : { reason }),
    ...(answeredAt === null ? {} : { answered: new Date(answeredAt).toISOString() }),
  };
}
