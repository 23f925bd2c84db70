import { DEFAULT_TEAM } from "../model/address.js";
import { type Agent, type AgentId, HUB_ID, HUB_NAME, HUMAN_ID, HUMAN_NAME } from "../model/agent.js";

/* An agent as the table `agent` has it. */

export type AgentRow = {
  id: string;
  name: string;
  label: string | null;
  role: Agent["role"];
  team: string;
  project: string | null;
  model: string | null;
  backend: string | null;
  heartbeat: number;
  attention: Agent["attention"];
  parent: string | null;
  depth: number;
  runtime: Agent["runtime"];
  runtime_reason: string | null;
  instance: string | null;
  session: string | null;
  permissions: Agent["permissions"];
  adopted: string | null;
  tools: Agent["tools"];
  status: Agent["status"];
  status_since: number;
  status_evidence: string;
  limited_until: number | null;
  ending: Agent["ending"];
  paused_since: number | null;
  registered_at: number;
  last_active: number;
  gone_at: number | null;
};

/** Those who are always there and never listed: the person, and the hub as a sender of notices. */
export const always: ReadonlyMap<string, Agent> = new Map([
  [HUMAN_ID, standing(HUMAN_ID, HUMAN_NAME, "the person at the desk")],
  [HUB_ID, standing(HUB_ID, HUB_NAME, "the hub itself")],
]);

/** One about whom nothing is stored in `agent`. */
export function standing(id: AgentId, name: string, statusEvidence: string): Agent {
  return {
    id,
    name,
    hub: null,
    label: null,
    role: "human",
    team: DEFAULT_TEAM,
    project: null,
    model: null,
    backend: null,
    heartbeat: false,
    attention: null,
    runtime: null,
    runtimeReason: null,
    instance: null,
    session: null,
    permissions: null,
    tools: null,
    adopted: null,
    parent: null,
    depth: -1,
    status: "idle",
    statusSince: 0,
    statusEvidence,
    limitedUntil: null,
    ending: null,
    pausedSince: null,
    registeredAt: 0,
    lastActive: 0,
    goneAt: null,
  };
}

export function toAgent(row: AgentRow | undefined): Agent | undefined {
  return row && fromRow(row);
}

export function fromRow(row: AgentRow): Agent {
  return {
    id: row.id,
    name: row.name,
    hub: null,
    label: row.label,
    role: row.role,
    team: row.team,
    project: row.project,
    model: row.model,
    backend: row.backend,
    heartbeat: row.heartbeat === 1,
    attention: row.attention,
    runtime: row.runtime,
    runtimeReason: row.runtime_reason,
    instance: row.instance,
    session: row.session,
    permissions: row.permissions,
    tools: toolsOf(row),
    adopted: toPane(row.adopted),
    parent: row.parent,
    depth: row.depth,
    status: row.status,
    statusSince: row.status_since,
    statusEvidence: row.status_evidence,
    limitedUntil: row.limited_until,
    ending: row.ending,
    pausedSince: row.paused_since,
    registeredAt: row.registered_at,
    lastActive: row.last_active,
    goneAt: row.gone_at,
  };
}

/** One that was spawned before sets could be chosen has the hub's own. */
function toolsOf({ tools, runtime, adopted }: AgentRow): Agent["tools"] {
  return tools ?? (runtime !== null && adopted === null ? "huddle" : null);
}

function toPane(json: string | null): Agent["adopted"] {
  const pane: unknown = json === null ? null : JSON.parse(json);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by the folds of AgentRegistered and PaneAdopted
  return pane as Agent["adopted"];
}
