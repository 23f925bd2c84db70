import type { ToolsetName } from "../../model/toolset.js";
import type { Tool } from "./tool.js";
import { broadcast, broadcastOfOrchestrators, broadcastOfTabs } from "./tools/broadcast.js";
import { checkMessages, checkMessagesOfAgents } from "./tools/check-messages.js";
import { claimRequest } from "./tools/claim-request.js";
import { claimWork, releaseWork } from "./tools/claim-work.js";
import { createAgentSession } from "./tools/create-agent-session.js";
import { getAgentStatus } from "./tools/get-agent-status.js";
import { getObligations } from "./tools/get-obligations.js";
import { getSessionState } from "./tools/get-session-state.js";
import { handOff } from "./tools/hand-off.js";
import { listAgents, listAgentsOfAgents, listAgentsOfTabs } from "./tools/list-agents.js";
import { getMemory, shareMemory } from "./tools/memory.js";
import { messageStatus } from "./tools/message-status.js";
import { requestTask } from "./tools/request-task.js";
import { sendAgentMessage } from "./tools/send-agent-message.js";
import { sendMessage, sendMessageOfAgents } from "./tools/send-message.js";
import { sendToAgent } from "./tools/send-to-agent.js";
import { setName, setTabName } from "./tools/set-name.js";
import { spawnAgent } from "./tools/spawn-agent.js";
import { killAgent, shutdownAgent } from "./tools/stop-agent.js";
import { assignTask, cancelTask, getTaskResult, listTasks } from "./tools/tasks.js";
import { waitForMessage, waitForMessageOfAgents } from "./tools/wait-for-message.js";
import { cancelWorkflow, createWorkflow, getWorkflow, listWorkflows, retryStep } from "./tools/workflows.js";

const agent: readonly Tool[] = [
  checkMessagesOfAgents,
  sendMessageOfAgents,
  requestTask,
  claimRequest,
  listAgentsOfAgents,
  waitForMessageOfAgents,
];

/**
 * The vocabularies: `huddle` is the hub's own, the others are those of the documents that agents may have been told about. A
 * tool that is not for the caller (`isFor`) is left out.
 */
export const toolsets: Readonly<Record<ToolsetName, readonly Tool[]>> = {
  huddle: [
    listAgents,
    sendMessage,
    checkMessages,
    waitForMessage,
    broadcast,
    requestTask,
    claimRequest,
    claimWork,
    releaseWork,
    getObligations,
    shareMemory,
    getMemory,
    handOff,
    setName,
    spawnAgent,
    messageStatus,
  ],
  agent,
  orchestrator: [
    ...agent,
    broadcastOfOrchestrators,
    getAgentStatus,
    shutdownAgent,
    killAgent,
    assignTask,
    getTaskResult,
    cancelTask,
    listTasks,
    getObligations,
    createWorkflow,
    getWorkflow,
    cancelWorkflow,
    retryStep,
    listWorkflows,
  ],
  tabs: [sendToAgent, listAgentsOfTabs, broadcastOfTabs, setTabName, spawnAgent, checkMessages],
  sessions: [sendAgentMessage, getSessionState, createAgentSession, checkMessages, waitForMessage],
};
