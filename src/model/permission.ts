import type { AgentId } from "./agent.js";
import type { PermissionPolicy } from "./hosting.js";
import type { TaskId } from "./task.js";
import type { TurnId } from "./turn.js";

export type PermissionId = string;

export const permissionDecisions = ["once", "session", "always", "deny"] as const;
export type PermissionDecision = (typeof permissionDecisions)[number];

export type PermissionGrant = PermissionDecision | "deny_always";

export type OfferedGrant = { id: string; label: string; grants: PermissionGrant };

/** A program of the configuration that is run in a project, where it runs what agents wrote. */
export type CheckCommand = { check: string; argv: readonly string[]; project: string };

/** What makes a worktree ready is allowed under this name, as a check is; no check can have it. */
export const SETUP_CHECK = "worktree.setup";

/** A permission request, in the words of the agent that makes it. */
export type Permission = {
  id: PermissionId;
  agent: AgentId;
  turn: TurnId | null;
  tool: string;
  title: string;
  /** read, edit, delete, move, search, execute, think, fetch, other; or `dialogAct`, `checkAct` */
  act: string;
  details: unknown;
  options: readonly OfferedGrant[];
  /** It is the hub that asks, in order to check the agent's task. */
  run?: CheckCommand & { task: TaskId };
};

/** The act of a check that the hub is to run. Only `run` makes it one. */
export const checkAct = "check";

/** The act of what only the person can answer, where it is asked: a dialog in a pane, such as trust or login. It has no options. */
export const dialogAct = "dialog";

/**
 * Why it has an answer that the person did not give here. `answered_in_pane`: the dialog is gone from the screen that asked.
 */
export type PermissionReason = "policy" | "timeout" | "cancelled" | "answered_in_pane";

/** `cancelled`: the turn that asked ended first. */
export type PermissionOutcome = PermissionDecision | "cancelled";

/** Acts that change nothing and go nowhere. */
const READS = ["read", "search", "think"];

/** What the policy says by itself; undefined when the person is to be asked. */
export function decideByPolicy(policy: PermissionPolicy, act: string): PermissionDecision | undefined {
  if (act === dialogAct) return undefined;
  if (policy === "allow-all") return "once";
  if (policy === "deny") return "deny";
  return policy === "allow-reads" && READS.includes(act) ? "once" : undefined;
}

/** Never more than what was granted: where the agent does not offer just that, the nearest below it. */
const fallbacks: Record<PermissionDecision, readonly PermissionGrant[]> = {
  once: ["once"],
  session: ["session", "once"],
  always: ["always", "session", "once"],
  deny: ["deny", "deny_always"],
};

/** The option that carries a decision out; undefined when the agent offers none, and then it is cancelled. */
export function optionFor(
  options: readonly OfferedGrant[],
  decision: PermissionDecision,
): OfferedGrant | undefined {
  for (const grant of fallbacks[decision]) {
    const option = options.find(({ grants }) => grants === grant);
    if (option !== undefined) return option;
  }
  return undefined;
}
