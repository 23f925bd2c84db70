import type { AgentId } from "./agent.js";
import { firstFreeName, toSlug } from "./names.js";
import type { TaskId } from "./task.js";

/*
 * A git worktree of a project for one agent, on a branch of its own.
 *
 *   making → made → kept
 *
 * and away from each of them when it is removed. `making`: its name is chosen and stored, before git is touched, so that a
 * hub which was killed knows what it began. `made`: its agent works there, or is about to. `kept`: its agent is gone and
 * left changes; it stays until the person removes it.
 */
export type WorktreeState = "making" | "made" | "kept";

/** Of Huddle's own folder at the top of a repository, which mail files use too. */
export const WORKTREES_FOLDER = "worktrees";
export const BRANCH_PREFIX = "huddle/";

export type PlannedWorktree = {
  /** That of its folder, and of its branch after `huddle/`; no two of a hub have the same. */
  name: string;
  agent: AgentId;
  by: AgentId;
  task?: TaskId;
  /** The folder that was asked for, in the person's own working tree. */
  project: string;
  path: string;
  /** Where the agent works: the same folder below `path` that `project` is below its top. */
  folder: string;
  branch: string;
  /** The commit that it begins at. */
  base: string;
};

/** A name that is good for a folder and a branch, and free. */
export function worktreeName(wanted: string, isTaken: (name: string) => boolean): string {
  return firstFreeName(toSlug(wanted) ?? "agent", isTaken);
}

/** What the person does with worktrees. */
export type WorktreeDesk = {
  diff(name: string, mostBytes: number): Promise<{ diff: string; isCut: boolean }>;
  merge(name: string): Promise<{ branch: string; into: string; commit: string; isNew: boolean }>;
  remove(name: string, force: boolean): Promise<void>;
};
