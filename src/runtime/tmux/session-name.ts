import { RuntimeError } from "../runtime.js";

/*
 * The names of sessions on Huddle's own socket: `agent-{team}-{name}`, `agent-{team}-{name}-{instance}` for a spawned
 * instance, `agent-ralph-{id}` for one that belongs to no team. A name with capitals or more hyphens cannot be told apart
 * in them, so agents in panes have narrower names than others.
 */

const core = /^[a-z][a-z0-9_]*$/;
const spawned = /^[a-z][a-z0-9_]*-[a-z0-9]+$/;
const independent = /^ralph-[a-z0-9]+$/;

export type PaneAgent = { name: string; team: string; instance?: string };

export function sessionName(agent: PaneAgent): string {
  const target = targetOf(agent);
  checkTarget(target);
  if (independent.test(target)) return `agent-${target}`;
  if (!core.test(agent.team))
    throw invalid(`"${shown(agent.team)}" cannot be part of a tmux session's name`, { team: agent.team });
  return `agent-${agent.team}-${target}`;
}

/** An instance is part of the name, or beside it. */
function targetOf({ name, instance }: PaneAgent): string {
  return instance === undefined || name.endsWith(`-${instance}`) ? name : `${name}-${instance}`;
}

export function checkTarget(target: string): void {
  if (core.test(target) || spawned.test(target)) return;
  throw invalid(`"${shown(target)}" cannot name an agent in a tmux pane`, {
    target,
    patterns: [core.source, spawned.source],
  });
}

function invalid(what: string, details: Record<string, unknown>): RuntimeError {
  const way =
    "use a-z, 0-9 and _ starting with a letter, and at most one hyphen before an instance, such as ana or ana-2; " +
    "or choose another runtime";
  return new RuntimeError("TARGET_INVALID", `${what}: ${way}`, details);
}

function shown(text: string): string {
  return text.slice(0, 80).replace(/[^\x20-\x7e]/g, "?");
}
