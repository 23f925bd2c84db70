import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { WorktreeResult } from "../../model/task.js";
import type { HubDecider } from "../context.js";

type EndWorktree = {
  name: string;
  agent: AgentId;
  /** Without one nothing was ever made. */
  result?: WorktreeResult | undefined;
  /** The person had it removed, whatever was in it. */
  forced?: true | undefined;
};

/** Its agent is gone, or the person removed it: it stays with what is in it, or is not there any more. */
export const endWorktree: HubDecider<EndWorktree, void> = ({ name, agent, result, forced }, { views }) => {
  const worktree = views.worktrees.byName(name);
  if (worktree?.agent !== agent) return decided([], undefined);
  const { by, task } = worktree;
  const known = { name, agent, by, ...(task === undefined ? {} : { task }) };
  if (result?.kept === true)
    return decided([newEvent("WorktreeKept", agent, { ...known, result })], undefined);
  return decided(
    [
      newEvent("WorktreeRemoved", agent, {
        ...known,
        ...(result === undefined ? {} : { result }),
        ...(forced === undefined ? {} : { forced }),
      }),
    ],
    undefined,
  );
};
