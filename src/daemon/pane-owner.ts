import { join } from "node:path";
import { readJson } from "../bridge/json.js";
import { listKept } from "../bridge/kept-identities.js";
import { type ProcessTree, readProcessTree } from "../hook/process-tree.js";
import { hashToken } from "../hub/rules/credentials.js";
import type { Agent } from "../model/agent.js";
import { hostedMarker, hostedVariable } from "../runtime/process/environment.js";
import { listMarked } from "../runtime/process/list-marked.js";
import { attachPane } from "../runtime/tmux/adopt-pane.js";
import type { TightViews } from "../views/tight.js";

/*
 * Whose a pane is already. What runs in it must not become a second agent beside the first: its mail would go to two
 * inboxes, and two would type into one box. `bridge`: its CLI has a bridge of its own, and the pane is not adopted.
 */

export type PaneOwner = { agent: Agent; by: "hosted" | "adopted" | "bridge" };

export type OwnerPorts = { views: TightViews; hub: string; data: string };

/** Looks once at what runs, for any number of panes; these are known by their first process. */
export async function readPaneOwners(
  ports: OwnerPorts,
): Promise<(pane: { pid: number }) => PaneOwner | undefined> {
  const [hosted, adopted] = await Promise.all([readHosted(ports), readAdopted(ports)]);
  const tree = readProcessTree();
  return ({ pid }) => hosted.get(pid) ?? adopted.get(pid) ?? findBridged({ pid }, ports, tree);
}

type Owners = ReadonlyMap<number, PaneOwner>;

async function readHosted({ views, hub }: OwnerPorts): Promise<Owners> {
  const marks = await listMarked(hostedVariable);
  const agents = new Map(views.roster.hosted().map((agent) => [hostedMarker(hub, agent.id), agent]));
  return new Map(
    marks.flatMap(({ pid, value }) => {
      const agent = agents.get(value);
      return agent === undefined ? [] : [[pid, { agent, by: "hosted" }] as const];
    }),
  );
}

/** A socket can be named in several ways, a process in one. */
async function readAdopted({ views }: OwnerPorts): Promise<Owners> {
  const owners = new Map<number, PaneOwner>();
  for (const agent of views.roster.hosted()) {
    if (agent.adopted === null) continue;
    const theirs = await attachPane(agent.adopted).catch(() => undefined);
    if (theirs !== undefined) owners.set(theirs.pid, { agent, by: "adopted" });
  }
  return owners;
}

/**
 * The nearest bridge below the pane's first process. That of a codex is elsewhere when a program in the background serves it, and
 * that of a CLI which another one runs as a command is not the pane's.
 */
function findBridged(
  { pid }: { pid: number },
  { views, data }: Pick<OwnerPorts, "views" | "data">,
  tree: ProcessTree,
): PaneOwner | undefined {
  const below = listKept(join(data, "bridges")).flatMap(({ file, holder, isHeld }) => {
    const steps = isHeld ? stepsBelow(tree, holder, pid) : undefined;
    return steps === undefined ? [] : [{ file, holder, steps }];
  });
  for (const { file } of below.sort((a, b) => a.steps - b.steps || a.holder - b.holder)) {
    const token = readJson(file)?.["token"];
    const agent = typeof token === "string" ? views.roster.byCredential(hashToken(token)) : undefined;
    if (agent !== undefined && agent.goneAt === null) return { agent, by: "bridge" };
  }
  return undefined;
}

const GENERATIONS = 12;
/** Many CLIs run in it, and start themselves again. */
const COMMON = /^(node|MainThread|-?(ba|da|z|k|c|tc|fi)?sh|env|npm.*|npx)$/;

/** How many processes lie between; undefined when it is not below, or in a CLI that the same CLI runs. */
function stepsBelow(tree: ProcessTree, bridge: number, above: number): number | undefined {
  const names = new Set<string>();
  let pid = tree.parentOf(bridge);
  for (let steps = 0; steps < GENERATIONS && pid !== undefined && pid > 1; steps++) {
    const name = tree.nameOf(pid) ?? "";
    if (names.has(name) && !COMMON.test(name)) return undefined;
    names.add(name);
    if (pid === above) return steps;
    pid = tree.parentOf(pid);
  }
  return undefined;
}
