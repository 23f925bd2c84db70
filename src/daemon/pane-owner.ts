import { join } from "node:path";
import { readJson } from "../bridge/json.js";
import { listKept } from "../bridge/kept-identities.js";
import { type ProcessTree, readProcessTree } from "../hook/process-tree.js";
import { hashToken } from "../hub/rules/credentials.js";
import type { Agent } from "../model/agent.js";
import { hostedMarker, hostedVariable } from "../runtime/process/environment.js";
import { listMarked } from "../runtime/process/list-marked.js";
import { type AttachedPane, attachPane } from "../runtime/tmux/adopt-pane.js";
import type { TightViews } from "../views/tight.js";

/*
 * Whose a pane is already. What runs in it must not become a second agent beside the first: its mail would go to two
 * inboxes, and two would type into one box.
 */

export type PaneOwner = { agent: Agent; by: "hosted" | "adopted" | "bridge" };

export type OwnerPorts = { views: TightViews; hub: string; data: string };

export async function findPaneOwner(pane: AttachedPane, ports: OwnerPorts): Promise<PaneOwner | undefined> {
  return (
    (await findHosted(pane, ports)) ??
    (await findAdopted(pane, ports)) ??
    findBridged(pane, ports, readProcessTree())
  );
}

async function findHosted({ pid }: AttachedPane, { views, hub }: OwnerPorts): Promise<PaneOwner | undefined> {
  const marks = (await listMarked(hostedVariable)).filter((marked) => marked.pid === pid);
  const agent = views.roster
    .hosted()
    .find(({ id }) => marks.some(({ value }) => value === hostedMarker(hub, id)));
  return agent === undefined ? undefined : { agent, by: "hosted" };
}

/** By its first process: a socket can be named in several ways. */
async function findAdopted({ pid }: AttachedPane, { views }: OwnerPorts): Promise<PaneOwner | undefined> {
  for (const agent of views.roster.hosted()) {
    if (agent.adopted === null) continue;
    const theirs = await attachPane(agent.adopted).catch(() => undefined);
    if (theirs?.pid === pid) return { agent, by: "adopted" };
  }
  return undefined;
}

/** A bridge below the pane's first process. That of a codex is elsewhere when a program in the background serves it. */
function findBridged(
  { pid }: Pick<AttachedPane, "pid">,
  { views, data }: Pick<OwnerPorts, "views" | "data">,
  tree: ProcessTree,
): PaneOwner | undefined {
  for (const { file, holder, isHeld } of listKept(join(data, "bridges"))) {
    if (!isHeld || !isBelow(tree, holder, pid)) continue;
    const token = readJson(file)?.["token"];
    const agent = typeof token === "string" ? views.roster.byCredential(hashToken(token)) : undefined;
    if (agent !== undefined && agent.goneAt === null) return { agent, by: "bridge" };
  }
  return undefined;
}

const GENERATIONS = 12;

function isBelow(tree: ProcessTree, process: number, above: number): boolean {
  let pid: number | undefined = process;
  for (let i = 0; i < GENERATIONS && pid !== undefined && pid > 1; i++) {
    if (pid === above) return true;
    pid = tree.parentOf(pid);
  }
  return false;
}
