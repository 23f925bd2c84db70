import { type GitProject, openGitProject } from "./git-project.js";
import type { HostedHub } from "./hosted-hub.js";

/** An agent in a worktree of its own. */
export async function inWorktree(hub: HostedHub, { folder }: GitProject, name = "ann") {
  const spawned = await hub.spawn({ name, project: folder, worktree: true });
  const worktree = hub.views.worktrees.ofAgent(spawned.id);
  if (worktree === undefined) throw new Error("no worktree was made");
  return { ...spawned, worktree, own: openGitProject(worktree.path) };
}

/** It goes, and its worktree is looked after. */
export async function leaves(hub: HostedHub, agent: string): Promise<void> {
  await hub.stops.kill({ agent, by: "human", waitMs: 5000 });
  await hub.settled();
}
