import type { ExecuteCommand } from "../../hub/deciders.js";
import type { Listen } from "../../journal/signal.js";
import type { AgentId } from "../../model/agent.js";
import type { HubEvent } from "../../model/events.js";
import type { PlannedWorktree, WorktreeDesk } from "../../model/worktree.js";
import type { Environment } from "../../runtime/process/environment.js";
import type { TightViews } from "../../views/tight.js";
import { createCheckApprovals } from "../acceptance/check-approvals.js";
import { createInTurn } from "./in-turn.js";
import { createSetUp } from "./set-up.js";
import { createWorktreeDesk } from "./worktree-desk.js";
import { createWorktreeKeeper, type WorktreeKeeper } from "./worktree-keeper.js";
import { createWorktreeMaker, type WantedWorktree } from "./worktree-maker.js";

type WorktreePorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  checkProject: (project: string) => string;
  processGone: (agent: AgentId) => Promise<void>;
  copy: readonly string[];
  setup: {
    argv: readonly string[];
    withinMs: number;
    environment: (worktree: PlannedWorktree) => Environment;
  };
  onError: (error: unknown) => void;
};

type Worktrees = WorktreeKeeper & {
  /** A worktree of the project, for an agent that is not there yet: the folder that it works in. */
  make: (wanted: WantedWorktree) => Promise<string>;
  desk: WorktreeDesk;
};

/** Git worktrees for agents: made before they start, looked after when they have left. */
export function createWorktrees(ports: WorktreePorts): Worktrees {
  // Git itself copes with much at once; names are chosen and folders removed one after the other.
  const shared = { ...ports, inTurn: createInTurn() };
  const approvals = createCheckApprovals(ports);
  const setUp = createSetUp({ ...shared, ...ports.setup, approvals });
  const keeper = createWorktreeKeeper(shared);
  return {
    ...keeper,
    async end() {
      setUp.end();
      await keeper.end();
      approvals.end();
    },
    make: createWorktreeMaker({ ...shared, setUp: setUp.run }),
    desk: createWorktreeDesk(shared),
  };
}
