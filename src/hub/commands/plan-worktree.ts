import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { PlannedWorktree } from "../../model/worktree.js";
import type { HubDecider } from "../context.js";

/** Says which worktree is made for an agent, before git is touched. False if another one has its name. */
export const planWorktree: HubDecider<{ worktree: PlannedWorktree }, boolean> = ({ worktree }, { views }) => {
  const sameName = views.worktrees.byName(worktree.name);
  if (sameName !== undefined && sameName.agent !== worktree.agent) return decided([], false);
  return decided([newEvent("WorktreePlanned", worktree.agent, { worktree })], true);
};
