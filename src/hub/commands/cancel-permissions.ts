import { type AgentId, HUB_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";

/** The turn that asked is over: nobody needs to answer any more. */
export const cancelPermissions: HubDecider<{ agent: AgentId }, void> = ({ agent }, { views }) =>
  decided(
    views.permissions.openOf(agent).map(({ permission }) =>
      newEvent("PermissionAnswered", agent, {
        agent,
        permission: permission.id,
        outcome: "cancelled",
        by: HUB_ID,
        reason: "cancelled",
      }),
    ),
    undefined,
  );
