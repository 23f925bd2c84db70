import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { HubContext } from "../context.js";

/** Refuses an agent more than one agent, with all that it and those below it started, may have here at once. */
export function checkChildren(parent: AgentId | undefined, { views, limits }: HubContext): void {
  const head = parent === undefined ? undefined : views.roster.headOf(parent);
  if (head === undefined || views.roster.startedBelow(head.id) < limits.children) return;
  throw new HubError(
    "HOSTED_LIMIT",
    `${limits.children} agents that ${ownWords(head, parent)} started are here already, which is the most for one agent ` +
      "(agents.children); end one first, or ask the person to start it",
    { limit: limits.children },
  );
}

/**
 * Refuses to run more agents than the hub does at once. Some of the places are kept for the person, who could not start
 * anything otherwise once agents have taken all.
 */
export function checkHostedRoom(by: AgentId, { views, limits }: HubContext): void {
  const { roster } = views;
  if (roster.hostedCount() >= limits.hosted) {
    throw new HubError(
      "HOSTED_LIMIT",
      `This hub runs ${limits.hosted} agents already, which is its limit (hosting.agents); shut one down first`,
      { limit: limits.hosted },
    );
  }
  if (by === HUMAN_ID) return;
  const most = limits.hosted - Math.min(limits.hostedReserve, Math.floor(limits.hosted / 2));
  if (roster.hostedByAgents() < most) return;
  throw new HubError(
    "HOSTED_LIMIT",
    `Agents have started ${most} agents that run already; the other places are kept for the person (hosting.reserve). ` +
      "Shut one down first",
    { limit: most },
  );
}

function ownWords(head: Agent, parent: AgentId | undefined): string {
  return head.id === parent ? "you and those below you" : `"${head.name}" and those below it`;
}
