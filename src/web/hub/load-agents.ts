import { toAgentRow } from "../../client/agent-row.js";
import { HubError } from "../../model/errors.js";
import { type AgentRow, putAgent, removeAgent, replaceAgents } from "./agent-store.js";
import { hub, queries } from "./hub.js";

/*
 * Statuses that no event tells of (an open wait, a turn told by hooks, held mail) are seen by asking again: often for those
 * something happened to, now and then for all.
 */

const PAGE = 500;
/** A roster beyond this is not a sidebar any more; the palette finds the others. */
const MOST = 5000;
/** More changed agents than these are cheaper to fetch together. */
const FEW = 6;
const PAUSE_MS = 700;
const ALL_EVERY_MS = 15_000;

export async function loadAgents(signal?: AbortSignal): Promise<void> {
  const rows: AgentRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await hub.listAgents(
      { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    );
    rows.push(...page.agents);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && rows.length < MOST);
  replaceAgents(rows);
}

let changed = new Set<string>();
let timer: number | undefined;
let isAsking = false;
let wantsAll = false;

/** Something happened to it: its row is fetched soon, together with others. */
export function reloadAgentSoon(id: string): void {
  changed.add(id);
  if (timer === undefined && !isAsking) timer = window.setTimeout(() => void reloadChanged(), 60);
}

/** It has left: there is nothing to ask any more. */
export function dropAgent(id: string): void {
  changed.delete(id);
  removeAgent(id);
}

/** Something happened to all of them. */
export function reloadAllSoon(): void {
  wantsAll = true;
  reloadAgentSoon("all");
}

async function reloadChanged(): Promise<void> {
  timer = undefined;
  isAsking = true;
  const ids = [...changed];
  changed = new Set();
  try {
    if (wantsAll || ids.length > FEW) await loadAllChanged();
    else await Promise.all(ids.map(reloadAgent));
  } catch {
    // The feed tells that the hub is away, and all is loaded again when it is back.
  }
  await new Promise((resolve) => window.setTimeout(resolve, PAUSE_MS));
  isAsking = false;
  const [next] = changed;
  if (next !== undefined) reloadAgentSoon(next);
}

async function loadAllChanged(): Promise<void> {
  wantsAll = false;
  await loadAgents();
}

async function reloadAgent(id: string): Promise<void> {
  try {
    const agent = await hub.showAgent(id);
    putAgent(toAgentRow(agent));
    queries.setQueryData(["agent", id], agent);
  } catch (error) {
    if (error instanceof HubError && (error.code === "AGENT_GONE" || error.code === "AGENT_NOT_FOUND"))
      removeAgent(id);
    else throw error;
  }
}

/** While somebody can see it. */
export function keepAgentsFresh(signal: AbortSignal): void {
  const every = window.setInterval(() => {
    if (document.visibilityState === "visible") void loadAgents(signal).catch(() => {});
  }, ALL_EVERY_MS);
  signal.addEventListener("abort", () => window.clearInterval(every), { once: true });
}
