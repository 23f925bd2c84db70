import type { ProcessTree } from "./process-tree.js";

const GENERATIONS = 12;
const SHELLS = /^(-?(ba|da|z|k|c|tc|fi)?sh|env)$/;

/** The process of the CLI whose hook this is: the one it names, if that is above us; else the nearest that is no shell. */
export function findCli(tree: ProcessTree, self: number, named: string | undefined): number | undefined {
  const above = ancestors(tree, self);
  const given = Number(named);
  if (above.includes(given)) return given;
  return above.find((pid) => pid > 1 && !SHELLS.test(tree.nameOf(pid) ?? ""));
}

/**
 * How many processes lie between a bridge and the CLI that it belongs to: a shell, `npx`. Undefined when it is another CLI's.
 * A CLI can run another one, as a command: what belongs to that does not belong to the first.
 */
export function distance(tree: ProcessTree, bridge: number, cli: number): number | undefined {
  const above = ancestors(tree, bridge);
  const steps = above.indexOf(cli);
  if (steps === -1) return undefined;
  const name = tree.nameOf(cli);
  return above.slice(0, steps).some((pid) => tree.nameOf(pid) === name) ? undefined : steps;
}

function ancestors(tree: ProcessTree, of: number): number[] {
  const found: number[] = [];
  for (let pid = tree.parentOf(of); pid !== undefined && pid > 1; pid = tree.parentOf(pid)) {
    found.push(pid);
    if (found.length === GENERATIONS) break;
  }
  return found;
}
