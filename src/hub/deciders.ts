import type { Execute } from "../model/decision.js";
import { acknowledge } from "./acknowledge.js";
import { answerPermission, cancelPermissions } from "./answer-permission.js";
import { answerRequest } from "./answer-request.js";
import { broadcast } from "./broadcast.js";
import { claimRequest } from "./claim-request.js";
import { claimWork } from "./claim-work.js";
import { decideConversation } from "./decide-conversation.js";
import { deregisterAgent } from "./deregister-agent.js";
import { fireAlarm } from "./fire-alarm.js";
import { nudgeRequest } from "./nudge-request.js";
import { offerMessages } from "./offer-messages.js";
import { offerTurn } from "./offer-turn.js";
import { openRequest } from "./open-request.js";
import { proveArrival } from "./prove-arrival.js";
import { recordCrash } from "./record-crash.js";
import { recordPresence } from "./record-presence.js";
import { issueCredential, recordSession, recordStarted } from "./record-started.js";
import { recordSeen, recordTaken } from "./record-taken.js";
import { recordTurnEnded } from "./record-turn-ended.js";
import { registerAgent } from "./register-agent.js";
import { requestPermission } from "./request-permission.js";
import { sendMessage } from "./send-message.js";
import { spawnAgent } from "./spawn-agent.js";
import { killAgent, recordGone, recordSpawnFailed, recordStopped, shutdownAgent } from "./stop-agent.js";
import { updateAgent } from "./update-agent.js";

/** Every command of the hub, by its name. */
export const deciders = {
  registerAgent,
  updateAgent,
  deregisterAgent,
  recordPresence,
  sendMessage,
  broadcast,
  decideConversation,
  openRequest,
  claimRequest,
  answerRequest,
  nudgeRequest,
  claimWork,
  offerMessages,
  acknowledge,
  proveArrival,
  fireAlarm,
  spawnAgent,
  issueCredential,
  recordStarted,
  recordSession,
  recordSpawnFailed,
  offerTurn,
  recordTaken,
  recordSeen,
  recordTurnEnded,
  recordCrash,
  recordStopped,
  shutdownAgent,
  killAgent,
  recordGone,
  requestPermission,
  answerPermission,
  cancelPermissions,
};

export type ExecuteCommand = Execute<typeof deciders>;
