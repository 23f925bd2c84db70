import type { z } from "zod";
import { agentRoutes } from "../contract/http/agents.js";
import { authRoutes } from "../contract/http/auth.js";
import { backendRoutes } from "../contract/http/backends.js";
import { checkRoutes } from "../contract/http/checks.js";
import { claimRoutes } from "../contract/http/claims.js";
import { conversationRoutes } from "../contract/http/conversations.js";
import { directoryRoutes } from "../contract/http/directory.js";
import { doctorRoutes } from "../contract/http/doctor.js";
import { fabricRoutes } from "../contract/http/fabric.js";
import { folderRoutes } from "../contract/http/folders.js";
import { handoffRoutes } from "../contract/http/handoff.js";
import { heldRoutes } from "../contract/http/held.js";
import { hostingRoutes } from "../contract/http/hosting.js";
import { hubRoutes } from "../contract/http/hub.js";
import { maintenanceRoutes } from "../contract/http/maintenance.js";
import { memoryRoutes } from "../contract/http/memory.js";
import { messageRoutes } from "../contract/http/messages.js";
import { needsYouRoutes } from "../contract/http/needs-you.js";
import { obligationRoutes } from "../contract/http/obligations.js";
import { pairRoutes } from "../contract/http/pairs.js";
import { pausingRoutes } from "../contract/http/pausing.js";
import { peerRoutes } from "../contract/http/peers.js";
import { permissionRoutes } from "../contract/http/permissions.js";
import { requestRoutes } from "../contract/http/requests.js";
import { searchRoutes } from "../contract/http/search.js";
import { taskRoutes } from "../contract/http/tasks.js";
import { turnRoutes } from "../contract/http/turns.js";
import { usageRoutes } from "../contract/http/usage.js";
import { workflowRoutes } from "../contract/http/workflows.js";
import { worktreeRoutes } from "../contract/http/worktrees.js";
import { HubError } from "../model/errors.js";
import type { PairAction } from "../model/pair.js";
import type { PermissionDecision } from "../model/permission.js";
import type { BudgetKind } from "../model/usage.js";
import { newUuid7 } from "../model/uuid7.js";
import { askAgain } from "./ask-again.js";
import { type CallOptions, callRoutes } from "./call-route.js";
import type { Transport } from "./transport.js";

type Body<R extends { body: z.ZodType }> = z.input<R["body"]>;
type Query<R extends { query: z.ZodType }> = z.input<R["query"]>;
type Answer<R extends { response: z.ZodType }> = z.output<R["response"]>;

export type Receipt = Answer<typeof messageRoutes.send>;
export type MessageStatus = Answer<typeof messageRoutes.status>;
export type InboxPage = Answer<typeof messageRoutes.inbox>;
export type AgentList = Answer<typeof agentRoutes.list>;
export type PaneList = Answer<typeof hostingRoutes.panes>;
export type BackendList = Answer<typeof backendRoutes.list>;
export type Health = Answer<typeof hubRoutes.health>;
export type Doctor = Answer<typeof doctorRoutes.show>;
export type HealthDetails = Answer<typeof hubRoutes.details>;
export type MessageList = Answer<typeof searchRoutes.list>;
export type SearchPage = Answer<typeof searchRoutes.search>;
export type HelpRequest = Answer<typeof requestRoutes.show>;
export type RequestList = Answer<typeof requestRoutes.list>;
export type NeedsYou = Answer<typeof needsYouRoutes.list>;
export type ObligationList = Answer<typeof obligationRoutes.list>;
export type Task = Answer<typeof taskRoutes.show>;
export type Workflow = Answer<typeof workflowRoutes.show>;
export type StepDetails = Answer<typeof workflowRoutes.step>;
export type Usage = Answer<typeof usageRoutes.list>;
export type WorkflowList = Answer<typeof workflowRoutes.list>;
export type Everywhere = Answer<typeof directoryRoutes.everywhere>;
export type FabricStatus = Answer<typeof fabricRoutes.status>;
export type PeerList = Answer<typeof peerRoutes.list>;
export type PairList = Answer<typeof pairRoutes.list>;
export type HeldList = Answer<typeof heldRoutes.list>;
export type ConversationList = Answer<typeof conversationRoutes.list>;
export type MemoryList = Answer<typeof memoryRoutes.list>;
export type ClaimList = Answer<typeof claimRoutes.list>;

type HubClientOptions = { transport: Transport; timeoutMs: number; newId?: () => string };

/** Every call rejects with the HubError that the hub gave, or HUB_UNREACHABLE, or TIMED_OUT. */
export type HubClient = ReturnType<typeof hubClient>;

/** What a call takes and gives is what its route says. */
export function hubClient({ transport, timeoutMs, newId = newUuid7 }: HubClientOptions) {
  const { call, callSilent } = callRoutes(transport, timeoutMs);

  /** For what can be asked again without harm. */
  function retried<T>(ask: (options: CallOptions) => Promise<T>, options: CallOptions = {}): Promise<T> {
    const budget = { budgetMs: options.timeoutMs ?? timeoutMs, signal: options.signal };
    return askAgain((left) => ask({ ...options, timeoutMs: left }), budget);
  }

  /** It has its id before it leaves, so that it can be sent again. */
  function named<T extends { id?: string | undefined }>(body: T): T & { id: string } {
    return { ...body, id: body.id ?? newId() };
  }

  return {
    register: (body: Body<typeof agentRoutes.register>, options?: CallOptions) =>
      call(agentRoutes.register, {}, { body }, options),
    listAgents: (query: Query<typeof agentRoutes.list> = {}, options?: CallOptions) =>
      call(agentRoutes.list, {}, { query }, options),
    showAgent: (name: string, options?: CallOptions) => call(agentRoutes.show, { name }, {}, options),
    updateAgent: (name: string, body: Body<typeof agentRoutes.update>, options?: CallOptions) =>
      call(agentRoutes.update, { name }, { body }, options),
    deregister: (name: string, options?: CallOptions) =>
      callSilent(agentRoutes.deregister, { name }, options),
    heartbeat: (name: string, options?: CallOptions) =>
      retried((again) => callSilent(agentRoutes.heartbeat, { name }, again), options),

    /** Safe to interrupt and to repeat: it is retried under its id. */
    async send(to: string, message: Body<typeof messageRoutes.send>, options?: CallOptions) {
      const body = named(message);
      try {
        return await retried((again) => call(messageRoutes.send, { name: to }, { body }, again), options);
      } catch (error) {
        throw withMessageId(error, body.id);
      }
    },
    broadcast(message: Body<typeof messageRoutes.broadcast>, options?: CallOptions) {
      const body = named(message);
      return retried((again) => call(messageRoutes.broadcast, {}, { body }, again), options);
    },
    messageStatus: (id: string, options?: CallOptions) => call(messageRoutes.status, { id }, {}, options),
    inbox: (query: Query<typeof messageRoutes.inbox> = {}, options?: CallOptions) =>
      call(
        messageRoutes.inbox,
        {},
        { query },
        { timeoutMs: timeoutMs + (query.wait ?? 0) * 1000, ...options },
      ),
    ack: (ids: readonly string[], options?: CallOptions) =>
      retried((again) => call(messageRoutes.ack, {}, { body: { ids: [...ids] } }, again), options),

    /** Not retried: a spawn has no id of its own. */
    spawn: (body: Body<typeof hostingRoutes.spawn>, options?: CallOptions) =>
      call(hostingRoutes.spawn, {}, { body }, options),
    backends: (options?: CallOptions) => call(backendRoutes.list, {}, {}, options),
    folders: (query: Query<typeof folderRoutes.list> = {}, options?: CallOptions) =>
      call(folderRoutes.list, {}, { query }, options),
    adopt: (body: Body<typeof hostingRoutes.adopt>, options?: CallOptions) =>
      call(hostingRoutes.adopt, {}, { body }, options),
    panes: (query: Query<typeof hostingRoutes.panes> = {}, options?: CallOptions) =>
      call(hostingRoutes.panes, {}, { query }, options),
    shutdown: (name: string, body: Body<typeof hostingRoutes.shutdown>, options?: CallOptions) =>
      call(hostingRoutes.shutdown, { name }, { body }, options),
    kill: (name: string, options?: CallOptions) => call(hostingRoutes.kill, { name }, {}, options),
    pause: (name: string, body: Body<typeof pausingRoutes.pause>, options?: CallOptions) =>
      retried((again) => call(pausingRoutes.pause, { name }, { body }, again), options),
    resume: (name: string, options?: CallOptions) =>
      retried((again) => call(pausingRoutes.resume, { name }, {}, again), options),
    pauseAll: (body: Body<typeof pausingRoutes.pauseAll>, options?: CallOptions) =>
      retried((again) => call(pausingRoutes.pauseAll, {}, { body }, again), options),
    resumeAll: (options?: CallOptions) =>
      retried((again) => call(pausingRoutes.resumeAll, {}, {}, again), options),
    usage: (query: Query<typeof usageRoutes.list> = {}, options?: CallOptions) =>
      call(usageRoutes.list, {}, { query }, options),
    decideBudget: (kind: BudgetKind, key: string, decision: "continue" | "stop", options?: CallOptions) =>
      call(usageRoutes.decide, { kind, key }, { body: { decision } }, options),
    turns: (name: string, query: Query<typeof turnRoutes.list> = {}, options?: CallOptions) =>
      call(turnRoutes.list, { name }, { query }, options),
    screen: (name: string, options?: CallOptions) => call(turnRoutes.screen, { name }, {}, options),
    permissions: (options?: CallOptions) => call(permissionRoutes.list, {}, {}, options),
    /** Newest answer first. */
    answeredPermissions: (limit: number, options?: CallOptions) =>
      call(permissionRoutes.list, {}, { query: { state: "answered", limit } }, options),
    needsYou: (options?: CallOptions) => call(needsYouRoutes.list, {}, {}, options),
    obligations: (query: Query<typeof obligationRoutes.list> = {}, options?: CallOptions) =>
      call(obligationRoutes.list, {}, { query }, options),
    answerPermission: (id: string, decision: PermissionDecision, options?: CallOptions) =>
      call(permissionRoutes.answer, { id }, { body: { decision } }, options),
    checks: (options?: CallOptions) => call(checkRoutes.list, {}, {}, options),
    allowCheck: (name: string, project: string, options?: CallOptions) =>
      call(checkRoutes.allow, { name }, { body: { project } }, options),
    forgetCheck: (name: string, body: Body<typeof checkRoutes.forget> = {}, options?: CallOptions) =>
      call(checkRoutes.forget, { name }, { body }, options),
    worktrees: (options?: CallOptions) => call(worktreeRoutes.list, {}, {}, options),
    worktreeDiff: (name: string, options?: CallOptions) => call(worktreeRoutes.diff, { name }, {}, options),
    mergeWorktree: (name: string, options?: CallOptions) => call(worktreeRoutes.merge, { name }, {}, options),
    removeWorktree: (name: string, query: Query<typeof worktreeRoutes.remove> = {}, options?: CallOptions) =>
      call(worktreeRoutes.remove, { name }, { query }, options),
    conversations: (query: Query<typeof conversationRoutes.list> = {}, options?: CallOptions) =>
      call(conversationRoutes.list, {}, { query }, options),
    decideConversation: (id: string, decision: "continue" | "freeze", options?: CallOptions) =>
      call(conversationRoutes.decide, { id }, { body: { decision } }, options),

    openRequest(request: Body<typeof requestRoutes.open>, options?: CallOptions) {
      const body = named(request);
      return retried((again) => call(requestRoutes.open, {}, { body }, again), options);
    },
    requests: (query: Query<typeof requestRoutes.list> = {}, options?: CallOptions) =>
      call(requestRoutes.list, {}, { query }, options),
    request: (id: string, options?: CallOptions) => call(requestRoutes.show, { id }, {}, options),
    claimRequest: (id: string, options?: CallOptions) =>
      retried((again) => call(requestRoutes.claim, { id }, {}, again), options),
    answerRequest(id: string, answer: Body<typeof requestRoutes.answer>, options?: CallOptions) {
      const body = named(answer);
      return retried((again) => call(requestRoutes.answer, { id }, { body }, again), options);
    },
    nudgeRequest: (id: string, options?: CallOptions) => call(requestRoutes.nudge, { id }, {}, options),
    claimWork: (body: Body<typeof claimRoutes.decide>, options?: CallOptions) =>
      retried((again) => call(claimRoutes.decide, {}, { body }, again), options),
    claims: (query: Query<typeof claimRoutes.list> = {}, options?: CallOptions) =>
      call(claimRoutes.list, {}, { query }, options),
    handOff(agent: string, handoff: Body<typeof handoffRoutes.handOff>, options?: CallOptions) {
      const body = named(handoff);
      return retried((again) => call(handoffRoutes.handOff, { name: agent }, { body }, again), options);
    },
    shareMemory: (body: Body<typeof memoryRoutes.share>, options?: CallOptions) =>
      call(memoryRoutes.share, {}, { body }, options),
    memories: (query: Query<typeof memoryRoutes.list> = {}, options?: CallOptions) =>
      call(memoryRoutes.list, {}, { query }, options),
    memory: (name: string, query: Query<typeof memoryRoutes.show> = {}, options?: CallOptions) =>
      call(memoryRoutes.show, { name }, { query }, options),

    assignTask(task: Body<typeof taskRoutes.assign>, options?: CallOptions) {
      const body = named(task);
      return retried((again) => call(taskRoutes.assign, {}, { body }, again), options);
    },
    tasks: (query: Query<typeof taskRoutes.list> = {}, options?: CallOptions) =>
      call(taskRoutes.list, {}, { query }, options),
    task: (id: string, query: Query<typeof taskRoutes.show> = {}, options?: CallOptions) =>
      call(
        taskRoutes.show,
        { id },
        { query },
        { timeoutMs: timeoutMs + (query.wait ?? 0) * 1000, ...options },
      ),
    cancelTask: (id: string, options?: CallOptions) =>
      retried((again) => call(taskRoutes.cancel, { id }, {}, again), options),

    createWorkflow(workflow: Body<typeof workflowRoutes.create>, options?: CallOptions) {
      const body = named(workflow);
      return retried((again) => call(workflowRoutes.create, {}, { body }, again), options);
    },
    workflows: (query: Query<typeof workflowRoutes.list> = {}, options?: CallOptions) =>
      call(workflowRoutes.list, {}, { query }, options),
    workflow: (id: string, query: Query<typeof workflowRoutes.show> = {}, options?: CallOptions) =>
      call(
        workflowRoutes.show,
        { id },
        { query },
        { timeoutMs: timeoutMs + (query.wait ?? 0) * 1000, ...options },
      ),
    workflowStep: (id: string, step: string, options?: CallOptions) =>
      call(workflowRoutes.step, { id, step }, {}, options),
    cancelWorkflow: (id: string, options?: CallOptions) =>
      retried((again) => call(workflowRoutes.cancel, { id }, {}, again), options),
    retryStep: (
      id: string,
      step: string,
      body: Body<typeof workflowRoutes.retry> = {},
      options?: CallOptions,
    ) => call(workflowRoutes.retry, { id, step }, { body }, options),
    approveStep: (
      id: string,
      step: string,
      body: Body<typeof workflowRoutes.approve> = {},
      options?: CallOptions,
    ) => call(workflowRoutes.approve, { id, step }, { body }, options),
    rejectStep: (
      id: string,
      step: string,
      body: Body<typeof workflowRoutes.reject> = {},
      options?: CallOptions,
    ) => call(workflowRoutes.reject, { id, step }, { body }, options),

    search: (query: Query<typeof searchRoutes.search>, options?: CallOptions) =>
      call(searchRoutes.search, {}, { query }, options),
    searchCount: (query: Query<typeof searchRoutes.count>, options?: CallOptions) =>
      call(searchRoutes.count, {}, { query }, options),
    /** Who writes to whom, how fast, and what is held back. */
    peers: (options?: CallOptions) => call(peerRoutes.list, {}, {}, options),
    invitePeer: (options?: CallOptions) => call(peerRoutes.invite, {}, {}, options),
    joinPeer: (body: Body<typeof peerRoutes.join>, options?: CallOptions) =>
      call(peerRoutes.join, {}, { body }, options),
    addPeer: (body: Body<typeof peerRoutes.add>, options?: CallOptions) =>
      call(peerRoutes.add, {}, { body }, options),
    removePeer: (name: string, options?: CallOptions) => call(peerRoutes.remove, { name }, {}, options),
    everywhere: (query: Query<typeof directoryRoutes.everywhere> = {}, options?: CallOptions) =>
      call(directoryRoutes.everywhere, {}, { query }, options),
    fabric: (options?: CallOptions) => call(fabricRoutes.status, {}, {}, options),
    requestFabric: (options?: CallOptions) => call(fabricRoutes.request, {}, {}, options),
    joinFabric: (body: Body<typeof fabricRoutes.join>, options?: CallOptions) =>
      call(fabricRoutes.join, {}, { body }, options),
    leaveFabric: (options?: CallOptions) => call(fabricRoutes.leave, {}, {}, options),
    pingPeer: (name: string, options?: CallOptions) => call(peerRoutes.ping, { name }, {}, options),
    peerAgents: (name: string, options?: CallOptions) => call(peerRoutes.agents, { name }, {}, options),
    pairs: (options?: CallOptions) => call(pairRoutes.list, {}, {}, options),
    /** What is held back now, why, and until when. */
    held: (query: Query<typeof heldRoutes.list> = {}, options?: CallOptions) =>
      call(heldRoutes.list, {}, { query }, options),
    decidePair: (from: string, to: string, action: PairAction) =>
      call(pairRoutes.decide, { from, to }, { body: { action } }),
    /** What an agent sent and got, newest first, with receipts. */
    history: (name: string, query: Query<typeof messageRoutes.history> = {}, options?: CallOptions) =>
      call(messageRoutes.history, { name }, { query }, options),
    thread: (id: string, options?: CallOptions) => call(searchRoutes.thread, { id }, {}, options),
    listMessages: (query: Query<typeof searchRoutes.list> = {}, options?: CallOptions) =>
      call(searchRoutes.list, {}, { query }, options),
    /** `file` is a path on the hub's machine. */
    backUp: (file: string, options?: CallOptions) =>
      call(maintenanceRoutes.backup, {}, { body: { file } }, options),
    prune: (before: string, options?: CallOptions) =>
      call(maintenanceRoutes.prune, {}, { body: { before } }, options),
    health: (options?: CallOptions) => call(hubRoutes.health, {}, {}, options),
    /** The hub in figures, with what is wrong. */
    healthDetails: (options?: CallOptions) => call(hubRoutes.details, {}, {}, options),
    doctor: (options?: CallOptions) => call(doctorRoutes.show, {}, {}, options),
    /** Not awaited to its end: `doctor` says when it is over. */
    runDoctor: (options?: CallOptions) => call(doctorRoutes.run, {}, {}, options),
    ticket: (options?: CallOptions) => call(hubRoutes.ticket, {}, {}, options),
    /** With which the desk can be opened once. */
    deskCode: (options?: CallOptions) => call(authRoutes.code, {}, {}, options),
    /** Needs no token. */
    exchangeCode: (code: string, options?: CallOptions) =>
      call(authRoutes.exchange, {}, { body: { code } }, options),
    close: transport.close,
  };
}

/** When nobody knows whether it was sent, the id is what makes sending it again safe. */
function withMessageId(error: unknown, id: string): unknown {
  if (!(error instanceof HubError)) return error;
  if (error.details["sent"] !== true && error.code !== "OUTCOME_UNKNOWN") return error;
  return new HubError(error.code, error.message, { ...error.details, message_id: id }, { cause: error });
}
