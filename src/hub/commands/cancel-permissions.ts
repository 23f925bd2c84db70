import { type AgentId, HUB_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { PermissionId, PermissionReason } from "../../model/permission.js";
import type { HubDecider } from "../context.js";

type CancelPermissions = {
  agent: AgentId;
  /** Only this one. */
  permission?: PermissionId;
  reason?: PermissionReason;
};

/**
 * Nobody needs to answer any more: the turn that asked is over, or the dialog is gone. What the hub asks for in order to check a
 * task stays, also over a restart: that turn is over by its nature.
 */
export const cancelPermissions: HubDecider<CancelPermissions, void> = (input, { views }) => {
  const { agent, permission: only, reason = "cancelled" } = input;
  return decided(
    views.permissions
      .openOf(agent)
      .filter(({ permission: { id, run } }) => (only === undefined ? run === undefined : id === only))
      .map(({ permission }) =>
        newEvent("PermissionAnswered", agent, {
          agent,
          permission: permission.id,
          outcome: "cancelled",
          by: HUB_ID,
          reason,
        }),
      ),
    undefined,
  );
};
