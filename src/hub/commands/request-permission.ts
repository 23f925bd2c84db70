import { type AgentId, HUB_ID } from "../../model/agent.js";
import { newEvent } from "../../model/events.js";
import {
  decideByPolicy,
  dialogAct,
  type OfferedGrant,
  optionFor,
  type Permission,
  type PermissionId,
  type PermissionOutcome,
} from "../../model/permission.js";
import { isTaskEnded } from "../../model/task.js";
import type { TurnId } from "../../model/turn.js";
import type { HubContext, HubDecider } from "../context.js";
import { presentAgent } from "../rules/present-agent.js";

type RequestPermission = {
  agent: AgentId;
  turn: TurnId | null;
  id: PermissionId;
  tool: string;
  title: string;
  act: string;
  details: unknown;
  options: readonly OfferedGrant[];
  /** The details are not all of it: the person can only deny it. */
  isCut?: boolean;
  run?: Permission["run"];
};

/** An answer by policy, or null: the person is asked. */
type RequestedPermission = { outcome: PermissionOutcome; option?: string } | null;

/** An agent asks for permission. Its policy answers, or it waits for the person until its time is up. */
export const requestPermission: HubDecider<RequestPermission, RequestedPermission> = (input, context) => {
  const agent = presentAgent(context.views, input.agent);
  const { run, isCut = false, ...asked } = input;
  const permission: Permission = run === undefined ? asked : { ...asked, run };
  const known = run === undefined ? undefined : knownAnswer(context, input.id, run);
  if (known !== undefined) return { events: [], answer: () => known.answer };
  const decision = run === undefined ? decideByPolicy(agent.permissions ?? "ask", input.act) : undefined;
  if (decision === undefined) {
    // Nobody but the person can close a dialog in a pane, so its time does not run out.
    const expiry = input.act === dialogAct ? {} : { expiresAt: context.now + context.limits.permissionMs };
    const offered = isCut ? { ...permission, options: input.options.filter(denies) } : permission;
    return {
      events: [newEvent("PermissionRequested", agent.id, { permission: offered, ...expiry })],
      answer: () => null,
    };
  }
  const option = optionFor(input.options, decision)?.id;
  const answer: NonNullable<RequestedPermission> =
    option === undefined ? { outcome: "cancelled" } : { outcome: decision, option };
  return {
    events: [
      newEvent("PermissionRequested", agent.id, { permission }),
      newEvent("PermissionAnswered", agent.id, {
        agent: agent.id,
        permission: input.id,
        ...answer,
        by: HUB_ID,
        reason: "policy",
      }),
    ],
    answer: () => answer,
  };
};

function denies({ grants }: OfferedGrant): boolean {
  return grants === "deny" || grants === "deny_always";
}

/**
 * Of a check: it was asked before, perhaps before the hub was restarted, or the person allowed it for good. What an agent may
 * do by its policy says nothing about what the hub runs.
 */
function knownAnswer(
  { views }: HubContext,
  id: PermissionId,
  run: NonNullable<Permission["run"]>,
): { answer: RequestedPermission } | undefined {
  const task = views.tasks.byId(run.task);
  if (task === undefined || isTaskEnded(task.state)) return { answer: { outcome: "cancelled" } };
  if (views.allowedChecks.has(run)) return { answer: { outcome: "always" } };
  const asked = views.permissions.byId(id);
  if (asked === undefined || asked.outcome === "cancelled") return undefined;
  return { answer: asked.outcome === null ? null : { outcome: asked.outcome } };
}
