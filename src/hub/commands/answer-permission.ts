import { type AgentId, HUB_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import {
  optionFor,
  type PermissionDecision,
  type PermissionId,
  type PermissionOutcome,
} from "../../model/permission.js";
import type { AskedPermission } from "../../views/permissions.js";
import type { HubContext, HubDecider } from "../context.js";

export type AnswerPermission = { permission: PermissionId; decision: PermissionDecision; by: AgentId };

export type AnsweredPermission = { permission: PermissionId; agent: AgentId; outcome: PermissionOutcome };

/** The person answers what an agent asked leave for. The first answer counts. */
export const answerPermission: HubDecider<AnswerPermission, AnsweredPermission> = (input, context) => {
  const asked = context.views.permissions.byId(input.permission);
  if (asked === undefined) {
    throw new HubError(
      "PERMISSION_NOT_FOUND",
      `Nothing is asked under the id "${input.permission}"; huddle inbox lists what is asked`,
      {
        open: context.views.permissions.open().map(({ permission }) => permission.id),
      },
    );
  }
  if (asked.outcome !== null) {
    throw new HubError("PERMISSION_ANSWERED", `This was answered before: ${asked.outcome}`, {
      permission: input.permission,
      outcome: asked.outcome,
    });
  }
  const option = optionFor(asked.permission.options, input.decision)?.id;
  if (option === undefined && input.decision !== "deny") {
    throw new HubError(
      "INVALID_INPUT",
      `The agent does not offer "${input.decision}" here; it offers ${grants(asked)}`,
      { offers: asked.permission.options.map((offer) => offer.grants) },
    );
  }
  const { agent } = asked.permission;
  const outcome = option === undefined ? "cancelled" : input.decision;
  return decided(
    [
      newEvent("PermissionAnswered", agent, {
        agent,
        permission: input.permission,
        outcome,
        ...(option === undefined ? {} : { option }),
        by: input.by,
      }),
    ],
    { permission: input.permission, agent, outcome },
  );
};

function grants({ permission }: AskedPermission): string {
  return permission.options.map((option) => option.grants).join(", ") || "nothing";
}

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
