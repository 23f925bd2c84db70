import { fitsPane, paneNameHint, panePatterns, paneTarget } from "../../model/pane-target.js";
import { RuntimeError } from "../runtime.js";

/*
 * The names of sessions on Huddle's own socket: `agent-{team}-{name}`, `agent-{team}-{name}-{instance}` for a spawned
 * instance, `agent-ralph-{id}` for one that belongs to no team.
 */

const team = /^[a-z][a-z0-9_]*$/;
const independent = /^ralph-[a-z0-9]+$/;

type PaneAgent = { name: string; team: string; instance?: string };
type PaneAgentRead = { name: string; team?: string; instance?: string };

export function sessionName(agent: PaneAgent): string {
  const target = paneTarget(agent);
  checkTarget(target);
  if (independent.test(target)) return `agent-${target}`;
  if (!team.test(agent.team))
    throw invalid(`"${shown(agent.team)}" cannot be part of a tmux session's name`, { team: agent.team });
  return `agent-${agent.team}-${target}`;
}

/**
 * Whom a session's name names, the other way round; undefined for one that no agent can have. The agent of an instance is
 * written to as `ana-2`.
 */
export function readSessionName(session: string): PaneAgentRead | undefined {
  const [prefix, ...parts] = session.split("-");
  if (prefix !== "agent") return undefined;
  const [group = "", name = "", instance] = parts;
  if (parts.length === 2 && independent.test(`${group}-${name}`)) return { name: `${group}-${name}` };
  const target = parts.slice(1).join("-");
  if (!team.test(group) || group === "ralph" || !fitsPane(target)) return undefined;
  return { name: target, team: group, ...(instance === undefined ? {} : { instance }) };
}

function checkTarget(target: string): void {
  if (fitsPane(target)) return;
  throw invalid(`"${shown(target)}" cannot name an agent in a tmux pane`, { target, patterns: panePatterns });
}

function invalid(what: string, details: Record<string, unknown>): RuntimeError {
  return new RuntimeError("TARGET_INVALID", `${what}: ${paneNameHint}; or choose another runtime`, details);
}

function shown(text: string): string {
  return text.slice(0, 80).replace(/[^\x20-\x7e]/g, "?");
}
