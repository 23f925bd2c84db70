import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import {
  dialogAct,
  optionFor,
  type PermissionDecision,
  type PermissionId,
  type PermissionOutcome,
} from "../../model/permission.js";
import { isOnScreen } from "../../model/runtime-traits.js";
import type { AskedPermission } from "../../views/permissions.js";
import type { HubContext, HubDecider } from "../context.js";
import { addressNow } from "../rules/address-of.js";
import { allowWaiting } from "../rules/allow-waiting.js";
import { shownAnswer } from "../rules/shown-answer.js";

type AnswerPermission = {
  permission: PermissionId;
  decision: PermissionDecision;
  by: AgentId;
  via?: "desk" | undefined;
};

type AnsweredPermission = { permission: PermissionId; agent: AgentId; outcome: PermissionOutcome };

/** The person answers a permission request. The first answer counts. */
export const answerPermission: HubDecider<AnswerPermission, AnsweredPermission> = (input, context) => {
  const asked = context.views.permissions.byId(input.permission);
  if (asked === undefined) {
    throw new HubError(
      "PERMISSION_NOT_FOUND",
      `No permission request has the id "${input.permission}"; huddle inbox lists the open ones`,
      {
        open: context.views.permissions.open().map(({ permission }) => permission.id),
      },
    );
  }
  const name = addressNow(context.views, asked.permission.agent, asked.permission.agent, input.by);
  if (asked.outcome !== null) {
    const sentence =
      asked.outcome === "cancelled" && isOnScreen(context.views.roster.byId(asked.permission.agent))
        ? `Nothing was pressed: the dialog of ${name} is gone. Somebody answered it in the pane, or its turn ended`
        : `This was answered before: ${asked.outcome}`;
    throw new HubError("PERMISSION_ANSWERED", sentence, {
      permission: input.permission,
      ...shownAnswer(context.views, asked),
    });
  }
  if (asked.permission.act === dialogAct) {
    throw new HubError(
      "DIALOG_IN_PANE",
      `Only you can answer this dialog of ${name}, in its pane: huddle attach ${name}`,
      { permission: input.permission, agent: name },
    );
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
        ...(input.via === undefined ? {} : { via: input.via }),
      }),
      ...(outcome === "always" || outcome === "session" ? allowCheck(context, asked, input.by) : []),
    ],
    { permission: input.permission, agent, outcome },
  );
};

/** A check that may run from now on is asked for no more, and whoever waits for the same need not. */
function allowCheck(context: HubContext, { permission }: AskedPermission, by: AgentId): NewEvent[] {
  const { id, agent, run } = permission;
  if (run === undefined) return [];
  const { check, argv, project } = run;
  return [
    newEvent("CheckAllowed", agent, { agent, check, argv, project, by }),
    ...allowWaiting(context, run, by, id),
  ];
}

function grants({ permission }: AskedPermission): string {
  return permission.options.map((option) => option.grants).join(", ") || "nothing";
}
