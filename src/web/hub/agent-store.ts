import { create } from "zustand";
import type { AgentList } from "../../client/hub-client.js";
import { type AgentStatus, agentStatuses } from "../../model/agent.js";
import { statusWord } from "../../model/status-words.js";

export type AgentRow = AgentList["agents"][number];

/*
 * Who is there. Rows are replaced one by one, so that what shows one agent renders when that one changes. Their order is that
 * of their ids, which is the order in which they came: no row moves because of what its agent does.
 */
export type Agents = {
  kind: "loading" | "ready";
  byId: ReadonlyMap<string, AgentRow>;
  ids: readonly string[];
};

const nobody: Agents = { kind: "loading", byId: new Map(), ids: [] };

export const useAgentStore = create<Agents>(() => nobody);

export function forgetAgents(): void {
  useAgentStore.setState(nobody, true);
}

/** All who are there: whoever is not among them has left. */
export function replaceAgents(rows: readonly AgentRow[]): void {
  const { byId: before } = useAgentStore.getState();
  const here = new Set(rows.map(({ id }) => id));
  for (const [id, row] of before) if (!here.has(id)) left.set(id, row);
  const byId = new Map(rows.map((row) => [row.id, keepSame(before.get(row.id), row)]));
  useAgentStore.setState({ kind: "ready", byId, ids: sortIds(byId.keys()) }, true);
}

export function putAgent(row: AgentRow): void {
  const { byId, ids, kind } = useAgentStore.getState();
  const before = byId.get(row.id);
  const kept = keepSame(before, row);
  if (before === kept) return;
  const next = new Map(byId).set(row.id, kept);
  useAgentStore.setState({ kind, byId: next, ids: before === undefined ? sortIds(next.keys()) : ids }, true);
}

/** Those who left while this page was open, as they were: their history can still be read. */
const left = new Map<string, AgentRow>();
const MOST_LEFT = 200;

export function leftAgent(id: string): AgentRow | undefined {
  return left.get(id);
}

export function removeAgent(id: string): void {
  const { byId, ids, kind } = useAgentStore.getState();
  const row = byId.get(id);
  if (row === undefined) return;
  left.set(id, row);
  const [oldest] = left.keys();
  if (left.size > MOST_LEFT && oldest !== undefined) left.delete(oldest);
  const next = new Map(byId);
  next.delete(id);
  useAgentStore.setState({ kind, byId: next, ids: ids.filter((one) => one !== id) }, true);
}

/** What an event says of an agent, until its whole row is fetched. */
export function changeAgent(id: string, change: Partial<AgentRow>): void {
  const row = useAgentStore.getState().byId.get(id);
  if (row !== undefined) putAgent({ ...row, ...change });
}

export function changeStatus(id: string, status: string, at: string, evidence: string): void {
  const state = agentStatuses.find((one) => one === status);
  if (state !== undefined) changeAgent(id, { ...shownAs(state), since: at, evidence, lastActive: at });
}

function shownAs(state: AgentStatus): Pick<AgentRow, "state" | "status"> {
  return { state, status: statusWord("tabs", state) };
}

/** The id behind an address, or an id itself. */
export function findAgentId({ byId }: Agents, nameOrId: string): string | undefined {
  if (byId.has(nameOrId)) return nameOrId;
  for (const row of byId.values()) if (row.name === nameOrId) return row.id;
  return undefined;
}

/** How an agent is addressed now, if it is here and still has the name that it had then; else that name. */
export function addressThen(id: string, nameThen: string): string {
  const row = useAgentStore.getState().byId.get(id);
  return row !== undefined && row.name.replace(/^.*\//, "") === nameThen ? row.name : nameThen;
}

function sortIds(ids: Iterable<string>): readonly string[] {
  return [...ids].sort();
}

/** The old object if nothing about it changed, so that nobody renders for nothing. */
function keepSame(before: AgentRow | undefined, row: AgentRow): AgentRow {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(row) ? before : row;
}
