/** More are not told at once: they often go with the first. */
const MOST = 20;

/**
 * Circles among steps, given the places of those that each depends on: each as the places on its way, from its first step to
 * what that depends on, and so on. No step is in two of them.
 */
export function findCycles(parents: readonly (readonly number[])[]): number[][] {
  const cycles: number[][] = [];
  const gone = new Set<number>();
  for (;;) {
    const stuck = withoutOrder(parents, gone);
    const [start] = stuck;
    if (start === undefined || cycles.length >= MOST) return cycles;
    const cycle = walk(parents, stuck, start);
    cycles.push(cycle);
    for (const at of cycle) gone.add(at);
  }
}

/** What is left when every step whose parents are done is done: those in a circle, or behind one. */
function withoutOrder(parents: readonly (readonly number[])[], gone: ReadonlySet<number>): Set<number> {
  const waits = parents.map((of) => of.filter((parent) => !gone.has(parent)).length);
  const children: number[][] = parents.map(() => []);
  for (const [at, of] of parents.entries()) for (const parent of of) children[parent]?.push(at);
  const ready = waits.flatMap((n, at) => (n === 0 && !gone.has(at) ? [at] : []));
  const left = new Set(parents.keys());
  for (const at of gone) left.delete(at);
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    left.delete(at);
    for (const child of children[at] ?? []) {
      const n = (waits[child] ?? 0) - 1;
      waits[child] = n;
      if (n === 0 && !gone.has(child)) ready.push(child);
    }
  }
  return left;
}

/** Each that is left has a parent that is left: following them comes round. */
function walk(parents: readonly (readonly number[])[], left: ReadonlySet<number>, start: number): number[] {
  const way: number[] = [];
  const seen = new Map<number, number>();
  let at: number | undefined = start;
  while (at !== undefined && !seen.has(at)) {
    seen.set(at, way.length);
    way.push(at);
    at = parents[at]?.find((parent) => left.has(parent));
  }
  const cycle = way.slice(at === undefined ? 0 : seen.get(at));
  const first = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
