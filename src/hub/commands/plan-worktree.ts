import { HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { PlannedWorktree } from "../../model/worktree.js";
import type { HubContext, HubDecider } from "../context.js";

/** The rest is left to the person. */
const AGENTS_SHARE = 0.9;

/** Says which worktree is made for an agent, before git is touched. False if another one has its name. */
export const planWorktree: HubDecider<{ worktree: PlannedWorktree }, boolean> = ({ worktree }, context) => {
  const { views } = context;
  checkRoom(context, worktree);
  const sameName = views.worktrees.byName(worktree.name);
  if (sameName !== undefined && sameName.agent !== worktree.agent) return decided([], false);
  return decided([newEvent("WorktreePlanned", worktree.agent, { worktree })], true);
};

/** Each takes as much of the disk as the project does, and what agents leave in them stays until the person looks at it. */
function checkRoom({ views, limits }: HubContext, { agent, by }: PlannedWorktree): void {
  const cap = by === HUMAN_ID ? limits.worktreeCap : Math.floor(limits.worktreeCap * AGENTS_SHARE);
  if (views.worktrees.list().filter((one) => one.agent !== agent).length < cap) return;
  throw new HubError(
    "WORKTREES_FULL",
    `There are ${cap} worktrees, which is the most ${by === HUMAN_ID ? "" : "that agents may have made "}(worktree.cap); merge or remove some: huddle worktree list`,
    { cap },
  );
}
