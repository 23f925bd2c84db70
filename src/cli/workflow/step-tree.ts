/** A step as the tree has it: which branch it hangs on, and what it waits for beside that. */
export type TreeRow<Step> = { step: Step; branch: string; after: readonly string[] };

type Node = { name: string; depends_on: readonly string[] };

/** Below this the tree grows no further to the right. */
const DEEPEST = 6;

/**
 * Steps as a tree, each once: below the last begun of its dependencies in their order, and with the names of all of them
 * where there are several. What a chain deeper than the screen hangs on is said by name as well.
 */
export function stepTree<Step extends Node>(steps: readonly Step[]): TreeRow<Step>[] {
  const parents = findParents(steps);
  const children = new Map<Step | undefined, Step[]>();
  for (const step of steps) {
    const parent = parents.get(step);
    children.set(parent, [...(children.get(parent) ?? []), step]);
  }
  const rows: TreeRow<Step>[] = [];
  // Not recursive: a chain may be as long as a workflow.
  const waiting = (children.get(undefined) ?? [])
    .map((step) => ({ step, branch: "", below: "", depth: 0 }))
    .reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { step, branch, below, depth } = next;
    rows.push({ step, branch, after: depth >= DEEPEST || step.depends_on.length > 1 ? step.depends_on : [] });
    const own = children.get(step) ?? [];
    const nested = depth < DEEPEST;
    for (const [index, child] of [...own.entries()].reverse()) {
      const isLast = index === own.length - 1;
      waiting.push({
        step: child,
        branch: nested ? `${below}${isLast ? "└─" : "├─"}` : branch,
        below: nested ? `${below}${isLast ? "  " : "│ "}` : below,
        depth: depth + 1,
      });
    }
  }
  return rows;
}

/** Of several dependencies the one that lies deepest, the later of equals: what it hangs on is shown above it. */
function findParents<Step extends Node>(steps: readonly Step[]): Map<Step, Step> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const depths = new Map<Step, number>();
  const parents = new Map<Step, Step>();
  for (const step of inOrder(steps, byName)) {
    let deepest = -1;
    for (const name of step.depends_on) {
      const dependency = byName.get(name);
      const depth = dependency === undefined ? undefined : depths.get(dependency);
      if (dependency === undefined || depth === undefined || depth < deepest) continue;
      deepest = depth;
      parents.set(step, dependency);
    }
    depths.set(step, deepest + 1);
  }
  return parents;
}

/** Dependencies before what depends on them, whatever the order in which they were written. */
function inOrder<Step extends Node>(steps: readonly Step[], byName: ReadonlyMap<string, Step>): Step[] {
  const missing = new Map<Step, number>();
  const dependents = new Map<Step, Step[]>();
  for (const step of steps) {
    const known = step.depends_on.flatMap((name) => byName.get(name) ?? []);
    missing.set(step, known.length);
    for (const dependency of known) dependents.set(dependency, [...(dependents.get(dependency) ?? []), step]);
  }
  const ready = steps.filter((step) => missing.get(step) === 0);
  for (const step of ready) {
    for (const dependent of dependents.get(step) ?? []) {
      const left = (missing.get(dependent) ?? 0) - 1;
      missing.set(dependent, left);
      if (left === 0) ready.push(dependent);
    }
  }
  return ready;
}
