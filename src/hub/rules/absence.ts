import { type AgentId, isAway } from "../../model/agent.js";
import { untilWords } from "../../model/until-words.js";
import { sayBudget } from "../../model/usage.js";
import type { TightViews } from "../../views/tight.js";

/** Why an agent will not read its mail for now, or undefined. Its mail is taken all the same, and waits. */
export function absence(views: TightViews, id: AgentId): string | undefined {
  const agent = views.roster.byId(id);
  if (agent === undefined || agent.goneAt !== null) return undefined;
  if (agent.ending !== null) return `"${agent.name}" is being shut down`;
  if (agent.pausedSince !== null) return `"${agent.name}" is paused`;
  const reached = views.budgets.reached("agent", id);
  if (reached !== undefined)
    return `"${agent.name}" waits for the person: its budget of ${sayBudget(reached.budget)} is used up`;
  if (agent.status === "limited") {
    return `"${agent.name}" has reached its vendor's usage limit${untilWords(agent.limitedUntil)}`;
  }
  if (!isAway(agent.status)) return undefined;
  return `"${agent.name}" is ${agent.status}: ${agent.statusEvidence}`;
}
