import type { Database } from "../journal/sqlite/port.js";
import { createAlarms } from "./alarms.js";
import { createAllowedChecks } from "./allowed-checks.js";
import { createBudgets } from "./budgets.js";
import { createCallbacks } from "./callbacks.js";
import { createConversations } from "./conversations.js";
import { createForwards } from "./forwards.js";
import { createHandedMail } from "./handed.js";
import { createInbox } from "./inbox.js";
import { createLinkFrames } from "./link-frames.js";
import { createMemories } from "./memories.js";
import { createMessages } from "./messages.js";
import { createPairs } from "./pairs.js";
import { createPausedPairs } from "./paused-pairs.js";
import { createPeerWork } from "./peer-work.js";
import { createPeers } from "./peers.js";
import { createPermissions } from "./permissions.js";
import { createRequests } from "./requests.js";
import { createRoster } from "./roster.js";
import { createTasks } from "./tasks.js";
import { createTurns } from "./turns.js";
import { createUsage } from "./usage.js";
import { createWorkClaims } from "./work.js";
import { createWorkflows } from "./workflows.js";
import { createWorktrees } from "./worktrees.js";

/** The views that decide. Few, and folded in the journal's own transaction. */
export function createTightViews(db: Database) {
  const inbox = createInbox(db);
  const peers = createPeers(db);
  const roster = createRoster(db, peers);
  const messages = createMessages(db);
  const requests = createRequests(db);
  return {
    peers,
    roster,
    messages,
    inbox,
    alarms: createAlarms(db),
    pairs: createPairs(db),
    pausedPairs: createPausedPairs(db),
    handed: createHandedMail(db, inbox),
    conversations: createConversations(db),
    requests,
    work: createWorkClaims(db),
    peerWork: createPeerWork(db),
    forwards: createForwards(db),
    memories: createMemories(db),
    tasks: createTasks(db),
    worktrees: createWorktrees(db),
    workflows: createWorkflows(db),
    turns: createTurns(db),
    usage: createUsage(db),
    budgets: createBudgets(db),
    permissions: createPermissions(db),
    allowedChecks: createAllowedChecks(db),
    linkFrames: createLinkFrames(db, { peers, roster, messages, requests }),
    callbacks: createCallbacks(db),
  };
}

export type TightViews = ReturnType<typeof createTightViews>;
