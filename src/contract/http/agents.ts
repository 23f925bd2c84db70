import { z } from "zod";
import { agentStatuses } from "../../model/agent.js";
import { attentions } from "../../model/attention.js";
import { permissionPolicies, runtimeKinds } from "../../model/hosting.js";
import { tabWords } from "../../model/status-words.js";
import { toolsetNames } from "../../model/toolset.js";
import type { RouteContract } from "./route.js";

const text = (max: number) => z.string().min(1).max(max);

const project = text(4096).optional().describe("The folder that it works in");
const model = text(200).optional().describe("What it runs on");
const attention = z
  .enum(attentions)
  .optional()
  .describe("What its messages ask for when they do not say (9.8)");

const label = text(400)
  .optional()
  .describe("What people read instead of the name: 1 to 80 characters of free text on one line");

const registerAgentBody = z.strictObject({
  name: text(200)
    .optional()
    .describe("See 10.1; default: made from `backend`, else `agent`. A taken name gets a number: `ann-2`"),
  label,
  role: z
    .enum(["agent", "orchestrator"])
    .optional()
    .describe("Default `agent`; `orchestrator` needs the operator's token"),
  project,
  team: text(200).optional().describe("See 10.1; default `main`"),
  model,
  backend: text(200).optional().describe("The CLI that it is"),
  heartbeat: z
    .boolean()
    .optional()
    .describe(
      "It promises to be heard from: silence then means `dead`, not `offline` (10.3). Default `false`",
    ),
  attention,
});

const registered = z.object({ id: z.string(), name: z.string(), token: z.string() });

/** Where in tmux an agent is: present while its pane is open. */
export const tmuxView = z
  .object({
    session: z.string(),
    pane: z.string(),
    socket: z.string().nullable().optional(),
  })
  .optional();

/** What an agent is at: the mail of its turn, its task, or the work that it claimed. */
const agentWork = z.object({
  kind: z.enum(["turn", "task", "claim"]),
  text: z.string().describe("The words of it, on one line"),
  for: z.string().nullable().describe("Who wanted it; null for work that it claimed"),
  since: z.string(),
});

const agentView = z.object({
  id: z.string(),
  /** The shortest address by which the caller can write to it. */
  name: z.string(),
  label: z.string().nullable(),
  status: z.enum(tabWords),
  paused: z.literal(true).optional().describe("It begins no turn and gets no mail (26)"),
  /** The same in the hub's own words, since when, and what that rests on. */
  state: z.enum(agentStatuses),
  since: z.string(),
  evidence: z.string(),
  /** Of one that is `limited`: until when, where its vendor said so; of one that is `rate_limited`: until its mail goes on. */
  until: z.string().optional(),
  role: z.enum(["agent", "orchestrator", "human"]),
  project: z.string().nullable(),
  team: z.string(),
  model: z.string().nullable(),
  backend: z.string().nullable(),
  lastActive: z.string(),
  /** How the hub runs it, with which tools, and what it may do without asking; null for one that it does not run. */
  runtime: z.enum(runtimeKinds).nullable(),
  /** Why in that way: `asked for`, `set in huddle.yaml`, `preferred`, or what stood against a better one. */
  runtimeReason: z.string().optional(),
  /** An older hub does not say. */
  tools: z.enum(toolsetNames).nullable().optional(),
  permissions: z.enum(permissionPolicies).nullable(),
  /** Who spawned it, by name. */
  parent: z.string().nullable(),
  tmux: tmuxView,
  // For the operator only: the others' mail is nobody else's business.
  unread: z.number().optional().describe("How many messages wait in its inbox"),
  on: agentWork.optional(),
  forwards_to: z.string().optional().describe("Who gets its mail, since it handed its work over"),
});

/** Listed slimly: a thousand agents whole are 58k tokens. */
const agentRow = agentView
  .pick({
    id: true,
    name: true,
    label: true,
    status: true,
    state: true,
    since: true,
    evidence: true,
    until: true,
    paused: true,
    project: true,
    team: true,
    model: true,
    backend: true,
    lastActive: true,
    runtimeReason: true,
    tmux: true,
    unread: true,
    on: true,
    forwards_to: true,
  })
  .extend({
    // Only of one that the hub runs.
    runtime: z.enum(runtimeKinds).optional(),
    parent: z.string().nullable().optional().describe("Who spawned it, by name, if anybody did"),
  });

const listAgentsQuery = z.strictObject({
  team: text(200).optional().describe("Only the agents of this team"),
  limit: z.number().int().min(1).max(1000).default(50),
  cursor: text(200).optional().describe("`next` of the page before"),
});

/** Somebody of another hub. */
const peerRow = z.object({
  name: z.string().describe("The address by which it is written to: `bob@mini`"),
  hub: z.string(),
  status: z.enum(["idle", "busy", "offline"]).describe("`offline` also while its hub cannot be reached"),
  evidence: z.string(),
  person: z.literal(true).optional().describe("It is the person there"),
});

const agentList = z.object({
  agents: z.array(agentRow),
  peers: z
    .array(peerRow)
    .optional()
    .describe("Agents of linked hubs, after the last of this hub's own; they count towards `limit`"),
  self: z.string().nullable(),
  next: z.string().nullable(),
});

const updateAgentBody = z.strictObject({
  name: text(200).optional().describe("See 10.1; a taken name gets a number"),
  label: text(400).nullable().optional().describe("See 5.1; null takes it away"),
  project,
  team: text(200).optional().describe("See 10.1"),
  model,
  attention,
  forward: z
    .literal(false)
    .optional()
    .describe("Mail to it is its own again, after a handoff with `forward`"),
});

const updated = z.object({
  success: z.literal(true),
  previous_name: z.string(),
  new_name: z.string(),
});

export const agentRoutes = {
  register: {
    method: "POST",
    path: "/api/agents",
    summary: "Register an agent; its token is shown this once. A taken name gets a number.",
    access: "join",
    body: registerAgentBody,
    status: 201,
    response: registered,
    errors: ["NAME_INVALID", "NAME_RESERVED"],
  },
  list: {
    method: "GET",
    path: "/api/agents",
    summary: "Agents in order of their names, in pages",
    access: "member",
    query: listAgentsQuery,
    status: 200,
    response: agentList,
  },
  show: {
    method: "GET",
    path: "/api/agents/:name",
    summary: "One agent, with its state, since when and on what evidence",
    access: "member",
    status: 200,
    response: agentView,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE"],
  },
  update: {
    method: "PUT",
    path: "/api/agents/:name",
    summary: "Rename or change an agent: itself, or any by the operator",
    access: "member",
    body: updateAgentBody,
    status: 200,
    response: updated,
    errors: [
      "AGENT_NOT_FOUND",
      "AGENT_GONE",
      "NAME_INVALID",
      "NAME_RESERVED",
      "TARGET_INVALID",
      "PROJECT_NOT_ALLOWED",
    ],
  },
  deregister: {
    method: "DELETE",
    path: "/api/agents/:name",
    summary: "Deregister an agent: its token dies, its unread mail fails visibly",
    access: "member",
    status: 204,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE"],
  },
  heartbeat: {
    method: "POST",
    path: "/api/agents/:name/heartbeat",
    summary: "Say that the agent is alive",
    access: "member",
    status: 204,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE"],
  },
} as const satisfies Record<string, RouteContract>;
