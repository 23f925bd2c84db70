import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { PlannedWorktree } from "../../model/worktree.js";
import { openGit, said } from "./open-git.js";
import { failed } from "./run-git.js";

/**
 * Removes folder and branch. Without `force` git looks once more: it refuses a folder that holds anything new, and a
 * branch that has moved from `tip`.
 */
export async function removeWorktree(
  { project, path, branch }: Pick<PlannedWorktree, "project" | "path" | "branch">,
  { tip, force }: { tip?: string | undefined; force: boolean },
): Promise<void> {
  // With its repository gone there is nothing that git could remove.
  if (!existsSync(project)) {
    if (force) await rm(path, { recursive: true, force: true });
    return;
  }
  const git = await openGit(project);
  const how = force ? ["--force", "--force"] : [];
  const removed = await git.run(["worktree", "remove", ...how, path]);
  if (removed.code !== 0 && !/is not a working tree/.test(removed.stderr)) {
    throw failed(`git does not remove the worktree ${path}: ${said(removed)}`);
  }
  const known = tip === undefined ? [] : [tip];
  const exists = await git.run(["show-ref", "--verify", "--quiet", `refs/heads/${branch}`]);
  if (exists.code === 0) {
    await git.ask(["update-ref", "-d", `refs/heads/${branch}`, ...known]);
    await git.run(["config", "--local", "--remove-section", `branch.${branch}`]);
  }
  // Empty ones go, the last one with Huddle's own folder.
  await rmdir(dirname(path)).catch(() => {});
  await rmdir(dirname(dirname(path))).catch(() => {});
}
