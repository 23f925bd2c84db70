import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";

/** It was made as planned. */
export const recordWorktree: HubDecider<{ name: string }, void> = ({ name }, { views }) => {
  const planned = views.worktrees.byName(name);
  if (planned?.state !== "making") return decided([], undefined);
  const { agent, by, task, project, path, branch, base } = planned;
  const made = { name, agent, by, ...(task === undefined ? {} : { task }), project, path, branch, base };
  return decided([newEvent("WorktreeMade", agent, made)], undefined);
};
