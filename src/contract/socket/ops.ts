import { agentRoutes } from "../http/agents.js";
import { claimRoutes } from "../http/claims.js";
import { handoffRoutes } from "../http/handoff.js";
import { memoryRoutes } from "../http/memory.js";
import { messageRoutes } from "../http/messages.js";
import { requestRoutes } from "../http/requests.js";
import type { RouteContract } from "../http/route.js";
import { taskRoutes } from "../http/tasks.js";

/** A route that a frame can call. Its fields are those of the body or the query, and the names in the path. */
export type RouteOp = {
  route: RouteContract;
  /** Under which field a name of the path stands, where the route's own would be unclear or is taken by the body. */
  params?: Readonly<Record<string, string>>;
  /** Whether it may be sent again when nobody knows what became of it: done twice, it is done once. */
  again: boolean;
};

/** What can be asked on an agent's socket, besides `mail` and `events`: each is a route, in one frame. */
export const routeOps = {
  send: { route: messageRoutes.send, params: { name: "to" }, again: true },
  broadcast: { route: messageRoutes.broadcast, again: true },
  wait: { route: messageRoutes.inbox, again: true },
  ack: { route: messageRoutes.ack, again: true },
  message_status: { route: messageRoutes.status, params: { id: "message_id" }, again: true },
  register_agent: { route: agentRoutes.register, again: false },
  list_agents: { route: agentRoutes.list, again: true },
  get_agent: { route: agentRoutes.show, again: true },
  update_agent: { route: agentRoutes.update, params: { name: "agent" }, again: false },
  deregister_agent: { route: agentRoutes.deregister, again: false },
  open_request: { route: requestRoutes.open, again: true },
  list_requests: { route: requestRoutes.list, again: true },
  get_request: { route: requestRoutes.show, params: { id: "request_id" }, again: true },
  claim_request: { route: requestRoutes.claim, params: { id: "request_id" }, again: true },
  answer_request: { route: requestRoutes.answer, params: { id: "request_id" }, again: true },
  nudge_request: { route: requestRoutes.nudge, params: { id: "request_id" }, again: false },
  assign_task: { route: taskRoutes.assign, again: true },
  list_tasks: { route: taskRoutes.list, again: true },
  get_task: { route: taskRoutes.show, params: { id: "task_id" }, again: true },
  cancel_task: { route: taskRoutes.cancel, params: { id: "task_id" }, again: true },
  claim_work: { route: claimRoutes.decide, again: true },
  list_claims: { route: claimRoutes.list, again: true },
  share_memory: { route: memoryRoutes.share, again: true },
  list_memories: { route: memoryRoutes.list, again: true },
  get_memory: { route: memoryRoutes.show, again: true },
  hand_off: { route: handoffRoutes.handOff, params: { name: "agent" }, again: true },
} as const satisfies Record<string, RouteOp>;

/** The names in the path of a route, and the fields that they stand under in a frame. */
export function paramFields({ route, params = {} }: RouteOp): [param: string, field: string][] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return names.map((name) => [name, params[name] ?? name]);
}
