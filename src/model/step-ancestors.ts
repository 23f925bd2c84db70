/** Whether one step depends on another, if only by others. There MUST be no circle. */
export function reachesBack(
  parents: readonly (readonly number[])[],
): (step: number, ancestor: number) => boolean {
  /** A bit for each step; made when it is first asked for. */
  let known: Uint32Array[] | undefined;
  return (step, ancestor) => {
    if (parents[step]?.includes(ancestor) === true) return true;
    known ??= ancestorsOf(parents);
    return (((known[step]?.[ancestor >> 5] ?? 0) >>> (ancestor & 31)) & 1) === 1;
  };
}

function ancestorsOf(parents: readonly (readonly number[])[]): Uint32Array[] {
  const words = Math.ceil(parents.length / 32);
  const sets = parents.map(() => new Uint32Array(words));
  for (const at of inOrder(parents)) {
    const own = sets[at];
    if (own === undefined) continue;
    for (const parent of parents[at] ?? []) {
      own[parent >> 5] = (own[parent >> 5] ?? 0) | (1 << (parent & 31));
      for (const [i, bits] of (sets[parent] ?? []).entries()) own[i] = (own[i] ?? 0) | bits;
    }
  }
  return sets;
}

/** Each after all that it depends on. */
function inOrder(parents: readonly (readonly number[])[]): number[] {
  const waits = parents.map((of) => of.length);
  const children: number[][] = parents.map(() => []);
  for (const [at, of] of parents.entries()) for (const parent of of) children[parent]?.push(at);
  const order = waits.flatMap((n, at) => (n === 0 ? [at] : []));
  for (const at of order) {
    for (const child of children[at] ?? []) {
      const n = (waits[child] ?? 0) - 1;
      waits[child] = n;
      if (n === 0) order.push(child);
    }
  }
  return order;
}
