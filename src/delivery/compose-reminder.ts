import { addressOf } from "../hub/rules/address-of.js";
import type { Remaining } from "../hub/rules/obligations.js";
import type { AgentId } from "../model/agent.js";
import { toolsetTraits } from "../model/toolset.js";
import type { TightViews } from "../views/tight.js";

/*
 * Who an agent is and what it owes, put before it again when it may have lost sight of that: it was started anew, or its
 * program summed up the conversation to make room.
 */

/** Its process was started again, with its history or without it; or its program summed up what it was told. */
type ReminderReason = "back" | "lost" | "compacted";

export const REMINDED_MOST = 10;

/** Undefined where there is nothing to say. */
export function composeReminder(
  views: TightViews,
  agent: AgentId,
  { lines, more: left }: Remaining,
  reason: ReminderReason,
): string | undefined {
  const self = views.roster.byId(agent);
  if (self === undefined || (lines.length === 0 && reason === "back")) return undefined;
  const { name, team, parent, tools } = self;
  const starter = parent === null ? undefined : views.roster.byId(parent);
  const by = starter === undefined ? "" : `, started by ${addressOf(views, starter, team)}`;
  const lost = reason === "lost" ? " Your earlier session could not be resumed: you know nothing of it." : "";
  const head = `(Huddle: you are ${name}, team ${team}${by}.${lost}`;
  if (lines.length === 0) return `${head})`;
  const rest = toolsetTraits[tools ?? "huddle"].obligations ? "; get_obligations shows them" : "";
  const more = left === 0 ? [] : [`- and ${left} more${rest}`];
  return `${[`${head} You still owe:`, ...lines.map((line) => `- ${line}`), ...more].join("\n")})`;
}
