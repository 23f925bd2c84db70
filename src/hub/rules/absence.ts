import { type Agent, isAway } from "../../model/agent.js";

/** Why an agent will not read its mail for now, or undefined. Its mail is taken all the same, and waits. */
export function absence(agent: Agent | undefined): string | undefined {
  if (agent === undefined || agent.goneAt !== null) return undefined;
  if (!isAway(agent.status)) return undefined;
  return `"${agent.name}" is ${agent.status}: ${agent.statusEvidence}`;
}
