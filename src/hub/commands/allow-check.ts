import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { CheckCommand } from "../../model/permission.js";
import type { HubDecider } from "../context.js";
import { allowWaiting } from "../rules/allow-waiting.js";

/** The person lets a check run in a project before anybody asks. */
export const allowCheck: HubDecider<CheckCommand & { by: AgentId }, void> = ({ by, ...command }, context) => {
  if (context.views.allowedChecks.has(command)) return decided([], undefined);
  return decided(
    [
      newEvent("CheckAllowed", HUMAN_ID, { agent: HUMAN_ID, ...command, by }),
      ...allowWaiting(context, command, by),
    ],
    undefined,
  );
};

/** The person takes it back, in one project or in all: from now on they are asked again. */
export const forgetCheck: HubDecider<
  { check: string; project?: string | undefined; by: AgentId },
  string[]
> = ({ check, project, by }, { views }) => {
  const found = views.allowedChecks
    .list()
    .filter((one) => one.check === check && (project === undefined || one.project === project));
  const projects = [...new Set(found.map((one) => one.project))];
  return decided(
    projects.map((where) => newEvent("CheckForgotten", HUMAN_ID, { check, project: where, by })),
    projects,
  );
};
