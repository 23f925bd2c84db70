import type { Execute } from "../model/decision.js";
import { acknowledge } from "./commands/acknowledge.js";
import { acknowledgeFrames } from "./commands/acknowledge-frames.js";
import { addPeer, removePeer } from "./commands/add-peer.js";
import { adoptPane } from "./commands/adopt-pane.js";
import { allowCheck, forgetCheck } from "./commands/allow-check.js";
import { announceStop } from "./commands/announce-stop.js";
import { answerPermission } from "./commands/answer-permission.js";
import { answerRequest } from "./commands/answer-request.js";
import { assignTask } from "./commands/assign-task.js";
import { broadcast } from "./commands/broadcast.js";
import { cancelPermissions } from "./commands/cancel-permissions.js";
import { cancelTask } from "./commands/cancel-task.js";
import { cancelWorkflow } from "./commands/cancel-workflow.js";
import { claimForPeer, recordPeerClaim } from "./commands/claim-across-hubs.js";
import { claimRequest } from "./commands/claim-request.js";
import { claimWork } from "./commands/claim-work.js";
import { createWorkflow } from "./commands/create-workflow.js";
import { decideBudget, reviewBudgets } from "./commands/decide-budget.js";
import { decideConversation } from "./commands/decide-conversation.js";
import { decidePair } from "./commands/decide-pair.js";
import { decideStep } from "./commands/decide-step.js";
import { deregisterAgent } from "./commands/deregister-agent.js";
import { endWorktree } from "./commands/end-worktree.js";
import { failTask } from "./commands/fail-task.js";
import { fireAlarm } from "./commands/fire-alarm.js";
import { handOff } from "./commands/hand-off.js";
import { issueCredential } from "./commands/issue-credential.js";
import { judgeTask } from "./commands/judge-task.js";
import { killAgent } from "./commands/kill-agent.js";
import { letGoPane } from "./commands/let-go-pane.js";
import { nudgeRequest } from "./commands/nudge-request.js";
import { numberFrames } from "./commands/number-frames.js";
import { offerMessages } from "./commands/offer-messages.js";
import { offerTurn } from "./commands/offer-turn.js";
import { openRequest } from "./commands/open-request.js";
import { pauseAgents, resumeAgents } from "./commands/pause-agents.js";
import { offerPlain, recordPlainRefused, recordPlainTaken } from "./commands/plain-mail.js";
import { planWorktree } from "./commands/plan-worktree.js";
import { proveArrival } from "./commands/prove-arrival.js";
import { receiveFrames } from "./commands/receive-frames.js";
import { receiveFromPeer } from "./commands/receive-from-peer.js";
import { recordCallback } from "./commands/record-callback.js";
import { recordCheck } from "./commands/record-check.js";
import { recordCrash } from "./commands/record-crash.js";
import { recordFrameRefused } from "./commands/record-frame-refused.js";
import { recordGone } from "./commands/record-gone.js";
import { recordKeptWaiting } from "./commands/record-kept-waiting.js";
import { recordMixed } from "./commands/record-mixed.js";
import { recordPeerStatus } from "./commands/record-peer-status.js";
import { recordPresence } from "./commands/record-presence.js";
import { recordRefusedSpawns } from "./commands/record-refused-spawns.js";
import { recordSeen } from "./commands/record-seen.js";
import { recordSession } from "./commands/record-session.js";
import { recordSpawnFailed } from "./commands/record-spawn-failed.js";
import { recordStarted } from "./commands/record-started.js";
import { recordStopped } from "./commands/record-stopped.js";
import { recordTaken } from "./commands/record-taken.js";
import { recordTurnEnded } from "./commands/record-turn-ended.js";
import { recordWorktree } from "./commands/record-worktree.js";
import { registerAgent } from "./commands/register-agent.js";
import { requestPermission } from "./commands/request-permission.js";
import { retryStep } from "./commands/retry-step.js";
import { runOtherwise } from "./commands/run-otherwise.js";
import { sendMessage } from "./commands/send-message.js";
import { shareMemory } from "./commands/share-memory.js";
import { shutdownAgent } from "./commands/shutdown-agent.js";
import { spawnAgent } from "./commands/spawn-agent.js";
import { startTask } from "./commands/start-task.js";
import { updateAgent } from "./commands/update-agent.js";
import { withdrawStopNotice } from "./commands/withdraw-stop-notice.js";

/** Every command of the hub, by its name. */
export const deciders = {
  registerAgent,
  updateAgent,
  deregisterAgent,
  recordKeptWaiting,
  recordMixed,
  recordPresence,
  sendMessage,
  broadcast,
  decideConversation,
  decidePair,
  decideBudget,
  reviewBudgets,
  openRequest,
  claimForPeer,
  claimRequest,
  answerRequest,
  nudgeRequest,
  claimWork,
  shareMemory,
  handOff,
  assignTask,
  startTask,
  cancelTask,
  failTask,
  planWorktree,
  recordWorktree,
  endWorktree,
  recordCallback,
  recordCheck,
  allowCheck,
  forgetCheck,
  judgeTask,
  createWorkflow,
  cancelWorkflow,
  retryStep,
  decideStep,
  offerMessages,
  acknowledge,
  proveArrival,
  fireAlarm,
  spawnAgent,
  adoptPane,
  letGoPane,
  issueCredential,
  recordStarted,
  recordSession,
  recordSpawnFailed,
  runOtherwise,
  recordRefusedSpawns,
  offerTurn,
  recordTaken,
  recordSeen,
  recordTurnEnded,
  recordCrash,
  recordStopped,
  shutdownAgent,
  killAgent,
  pauseAgents,
  resumeAgents,
  recordGone,
  requestPermission,
  answerPermission,
  cancelPermissions,
  announceStop,
  withdrawStopNotice,
  addPeer,
  removePeer,
  receiveFromPeer,
  numberFrames,
  acknowledgeFrames,
  receiveFrames,
  recordFrameRefused,
  recordPeerClaim,
  recordPeerStatus,
  offerPlain,
  recordPlainTaken,
  recordPlainRefused,
};

export type ExecuteCommand = Execute<typeof deciders>;
