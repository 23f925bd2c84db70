import { type Agent, isAway } from "../../model/agent.js";
import { untilWords } from "../../model/until-words.js";

/** Why an agent will not read its mail for now, or undefined. Its mail is taken all the same, and waits. */
export function absence(agent: Agent | undefined): string | undefined {
  if (agent === undefined || agent.goneAt !== null) return undefined;
  if (agent.status === "limited") {
    return `"${agent.name}" has reached its vendor's usage limit${untilWords(agent.limitedUntil)}`;
  }
  if (!isAway(agent.status)) return undefined;
  return `"${agent.name}" is ${agent.status}: ${agent.statusEvidence}`;
}
