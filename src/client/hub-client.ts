import type { z } from "zod";
import type {
  agentList,
  agentView,
  listAgentsQuery,
  registerAgentBody,
  registered,
  updateAgentBody,
  updated,
} from "../contract/http/agents.js";
import { agentRoutes } from "../contract/http/agents.js";
import {
  type claimList,
  claimRoutes,
  type claimWorkBody,
  type listClaimsQuery,
  type workClaimed,
} from "../contract/http/claims.js";
import { conversationRoutes, type conversationsQuery } from "../contract/http/conversations.js";
import {
  type adoptBody,
  type adopted,
  hostingRoutes,
  type spawnBody,
  type spawned,
} from "../contract/http/hosting.js";
import { type health, hubRoutes, type ticket } from "../contract/http/hub.js";
import { type backedUp, maintenanceRoutes, type pruned } from "../contract/http/maintenance.js";
import {
  type acked,
  type broadcastBody,
  type broadcastReceipt,
  type inboxPage,
  type inboxQuery,
  messageRoutes,
  type messageStatus,
  type receipt,
  type sendMessageBody,
} from "../contract/http/messages.js";
import {
  type permissionAnswered,
  type permissionList,
  permissionRoutes,
} from "../contract/http/permissions.js";
import {
  type answerRequestBody,
  type listRequestsQuery,
  type openRequestBody,
  type requestAnswered,
  type requestClaimed,
  type requestList,
  type requestNudged,
  type requestOpened,
  requestRoutes,
} from "../contract/http/requests.js";
import {
  type listMessagesQuery,
  type messageList,
  type searchPage,
  type searchQuery,
  searchRoutes,
  type thread,
} from "../contract/http/search.js";
import { HubError } from "../model/errors.js";
import type { PermissionDecision } from "../model/permission.js";
import { newUuid7 } from "../model/uuid7.js";
import { type CallOptions, callRoutes } from "./call-route.js";
import { retry } from "./retry.js";
import type { Transport } from "./transport.js";

export type Receipt = z.output<typeof receipt>;
export type InboxPage = z.output<typeof inboxPage>;
export type AgentList = z.output<typeof agentList>;
export type Health = z.output<typeof health>;
export type MessageList = z.output<typeof messageList>;
export type RequestList = z.output<typeof requestList>;
export type PermissionList = z.output<typeof permissionList>;
export type ClaimList = z.output<typeof claimList>;

/** Every call rejects with the HubError that the hub gave, or HUB_UNREACHABLE, or TIMED_OUT. */
export type HubClient = {
  register(
    body: z.input<typeof registerAgentBody>,
    options?: CallOptions,
  ): Promise<z.output<typeof registered>>;
  listAgents(query?: z.input<typeof listAgentsQuery>, options?: CallOptions): Promise<AgentList>;
  showAgent(name: string, options?: CallOptions): Promise<z.output<typeof agentView>>;
  updateAgent(
    name: string,
    body: z.input<typeof updateAgentBody>,
    options?: CallOptions,
  ): Promise<z.output<typeof updated>>;
  deregister(name: string, options?: CallOptions): Promise<void>;
  heartbeat(name: string, options?: CallOptions): Promise<void>;
  /** Safe to interrupt and to repeat: the message has an id before it leaves, and is retried under it. */
  send(to: string, body: z.input<typeof sendMessageBody>, options?: CallOptions): Promise<Receipt>;
  /** Retried under its id, as `send` is. */
  broadcast(
    body: z.input<typeof broadcastBody>,
    options?: CallOptions,
  ): Promise<z.output<typeof broadcastReceipt>>;
  /** Not retried: a spawn has no id of its own. */
  spawn(body: z.input<typeof spawnBody>, options?: CallOptions): Promise<z.output<typeof spawned>>;
  adopt(body: z.input<typeof adoptBody>, options?: CallOptions): Promise<z.output<typeof adopted>>;
  shutdown(
    name: string,
    body: { reason?: string },
    options?: CallOptions,
  ): Promise<{ acknowledged: boolean }>;
  kill(name: string, options?: CallOptions): Promise<{ killed: boolean }>;
  permissions(options?: CallOptions): Promise<PermissionList>;
  answerPermission(
    id: string,
    decision: PermissionDecision,
    options?: CallOptions,
  ): Promise<z.output<typeof permissionAnswered>>;
  conversations(
    query?: z.input<typeof conversationsQuery>,
    options?: CallOptions,
  ): Promise<z.output<typeof conversationRoutes.list.response>>;
  decideConversation(
    id: string,
    decision: "continue" | "freeze",
    options?: CallOptions,
  ): Promise<z.output<typeof conversationRoutes.decide.response>>;
  /** Retried under its id, as `send` is. */
  openRequest(
    body: z.input<typeof openRequestBody>,
    options?: CallOptions,
  ): Promise<z.output<typeof requestOpened>>;
  requests(query?: z.input<typeof listRequestsQuery>, options?: CallOptions): Promise<RequestList>;
  claimRequest(id: string, options?: CallOptions): Promise<z.output<typeof requestClaimed>>;
  /** Retried under its id, as `send` is. */
  answerRequest(
    id: string,
    body: z.input<typeof answerRequestBody>,
    options?: CallOptions,
  ): Promise<z.output<typeof requestAnswered>>;
  nudgeRequest(id: string, options?: CallOptions): Promise<z.output<typeof requestNudged>>;
  claimWork(
    body: z.input<typeof claimWorkBody>,
    options?: CallOptions,
  ): Promise<z.output<typeof workClaimed>>;
  claims(query?: z.input<typeof listClaimsQuery>, options?: CallOptions): Promise<ClaimList>;
  messageStatus(id: string, options?: CallOptions): Promise<z.output<typeof messageStatus>>;
  search(query: z.input<typeof searchQuery>, options?: CallOptions): Promise<z.output<typeof searchPage>>;
  thread(id: string, options?: CallOptions): Promise<z.output<typeof thread>>;
  listMessages(query?: z.input<typeof listMessagesQuery>, options?: CallOptions): Promise<MessageList>;
  /** `file` is a path on the hub's machine. */
  backUp(file: string, options?: CallOptions): Promise<z.output<typeof backedUp>>;
  prune(before: string, options?: CallOptions): Promise<z.output<typeof pruned>>;
  inbox(query?: z.input<typeof inboxQuery>, options?: CallOptions): Promise<InboxPage>;
  ack(ids: readonly string[], options?: CallOptions): Promise<z.output<typeof acked>>;
  health(options?: CallOptions): Promise<Health>;
  ticket(options?: CallOptions): Promise<z.output<typeof ticket>>;
  close(): void;
};

type HubClientOptions = { transport: Transport; timeoutMs: number; newId?: () => string };

export function hubClient({ transport, timeoutMs, newId = newUuid7 }: HubClientOptions): HubClient {
  const { call, callSilent } = callRoutes(transport, timeoutMs);
  const within = (options: CallOptions | undefined) => ({
    budgetMs: options?.timeoutMs ?? timeoutMs,
    signal: options?.signal,
  });
  return {
    register: (body, options) => call(agentRoutes.register, {}, { body }, options),
    listAgents: (query = {}, options) => call(agentRoutes.list, {}, { query }, options),
    showAgent: (name, options) => call(agentRoutes.show, { name }, {}, options),
    updateAgent: (name, body, options) => call(agentRoutes.update, { name }, { body }, options),
    deregister: (name, options) => callSilent(agentRoutes.deregister, { name }, options),
    heartbeat: (name, options) =>
      retry(
        (left) => callSilent(agentRoutes.heartbeat, { name }, { ...options, timeoutMs: left }),
        within(options),
      ),
    send: async (to, message, options) => {
      const body = { ...message, id: message.id ?? newId() };
      try {
        return await retry(
          (left) => call(messageRoutes.send, { name: to }, { body }, { ...options, timeoutMs: left }),
          within(options),
        );
      } catch (error) {
        throw withMessageId(error, body.id);
      }
    },
    broadcast: (message, options) => {
      const body = { ...message, id: message.id ?? newId() };
      return retry(
        (left) => call(messageRoutes.broadcast, {}, { body }, { ...options, timeoutMs: left }),
        within(options),
      );
    },
    spawn: (body, options) => call(hostingRoutes.spawn, {}, { body }, options),
    adopt: (body, options) => call(hostingRoutes.adopt, {}, { body }, options),
    shutdown: (name, body, options) => call(hostingRoutes.shutdown, { name }, { body }, options),
    kill: (name, options) => call(hostingRoutes.kill, { name }, {}, options),
    permissions: (options) => call(permissionRoutes.list, {}, {}, options),
    answerPermission: (id, decision, options) =>
      call(permissionRoutes.answer, { id }, { body: { decision } }, options),
    conversations: (query = {}, options) => call(conversationRoutes.list, {}, { query }, options),
    decideConversation: (id, decision, options) =>
      call(conversationRoutes.decide, { id }, { body: { decision } }, options),
    openRequest: (request, options) => {
      const body = { ...request, id: request.id ?? newId() };
      return retry(
        (left) => call(requestRoutes.open, {}, { body }, { ...options, timeoutMs: left }),
        within(options),
      );
    },
    requests: (query = {}, options) => call(requestRoutes.list, {}, { query }, options),
    claimRequest: (id, options) =>
      retry(
        (left) => call(requestRoutes.claim, { id }, {}, { ...options, timeoutMs: left }),
        within(options),
      ),
    answerRequest: (id, answer, options) => {
      const body = { ...answer, id: answer.id ?? newId() };
      return retry(
        (left) => call(requestRoutes.answer, { id }, { body }, { ...options, timeoutMs: left }),
        within(options),
      );
    },
    nudgeRequest: (id, options) => call(requestRoutes.nudge, { id }, {}, options),
    claimWork: (body, options) =>
      retry(
        (left) => call(claimRoutes.decide, {}, { body }, { ...options, timeoutMs: left }),
        within(options),
      ),
    claims: (query = {}, options) => call(claimRoutes.list, {}, { query }, options),
    messageStatus: (id, options) => call(messageRoutes.status, { id }, {}, options),
    search: (query, options) => call(searchRoutes.search, {}, { query }, options),
    thread: (id, options) => call(searchRoutes.thread, { id }, {}, options),
    listMessages: (query = {}, options) => call(searchRoutes.list, {}, { query }, options),
    backUp: (file, options) => call(maintenanceRoutes.backup, {}, { body: { file } }, options),
    prune: (before, options) => call(maintenanceRoutes.prune, {}, { body: { before } }, options),
    inbox: (query = {}, options) =>
      call(
        messageRoutes.inbox,
        {},
        { query },
        { timeoutMs: timeoutMs + (query.wait ?? 0) * 1000, ...options },
      ),
    ack: (ids, options) =>
      retry(
        (left) => call(messageRoutes.ack, {}, { body: { ids: [...ids] } }, { ...options, timeoutMs: left }),
        within(options),
      ),
    health: (options) => call(hubRoutes.health, {}, {}, options),
    ticket: (options) => call(hubRoutes.ticket, {}, {}, options),
    close: transport.close,
  };
}

/** When nobody knows whether it was sent, the id is what makes sending it again safe. */
function withMessageId(error: unknown, id: string): unknown {
  if (!(error instanceof HubError)) return error;
  if (error.details["sent"] !== true && error.code !== "OUTCOME_UNKNOWN") return error;
  return new HubError(error.code, error.message, { ...error.details, message_id: id }, { cause: error });
}
