import { HUB_ID } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { optionFor, type PermissionId } from "../../model/permission.js";
import type { HubContext } from "../context.js";

/** Its time is up: it is denied, never allowed. */
export function expirePermission({ views }: HubContext, id: PermissionId): NewEvent[] {
  const asked = views.permissions.byId(id);
  if (asked === undefined || asked.outcome !== null) return [];
  const option = optionFor(asked.permission.options, "deny")?.id;
  const { agent } = asked.permission;
  return [
    newEvent("PermissionAnswered", agent, {
      agent,
      permission: id,
      outcome: option === undefined ? "cancelled" : "deny",
      ...(option === undefined ? {} : { option }),
      by: HUB_ID,
      reason: "timeout",
    }),
  ];
}
