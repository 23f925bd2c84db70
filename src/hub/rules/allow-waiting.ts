import type { AgentId } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { type CheckCommand, optionFor, type PermissionId } from "../../model/permission.js";
import type { HubContext } from "../context.js";

/** Whoever waits for a check that may run from now on need not. */
export function allowWaiting(
  { views }: HubContext,
  command: CheckCommand,
  by: AgentId,
  but?: PermissionId,
): NewEvent[] {
  return views.permissions
    .open()
    .filter(({ permission: { id, run } }) => id !== but && isSameCommand(run, command))
    .map(({ permission: { id, agent, options } }) => {
      const option = optionFor(options, "always")?.id;
      return newEvent("PermissionAnswered", agent, {
        agent,
        permission: id,
        outcome: "always",
        ...(option === undefined ? {} : { option }),
        by,
      });
    });
}

function isSameCommand(one: CheckCommand | undefined, other: CheckCommand): boolean {
  return (
    one !== undefined &&
    one.check === other.check &&
    one.project === other.project &&
    JSON.stringify(one.argv) === JSON.stringify(other.argv)
  );
}
