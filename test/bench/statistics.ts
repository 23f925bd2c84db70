/** One round: the anchor and ours, measured one right after the other. */
export type Pair = { anchor: number; ours: number };

/** The ratio is the median of the rounds' own ratios: what slows the whole machine slows both halves of a round. */
export type Summary = { anchor: number; ours: number; ratio: number; low: number; high: number };

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

export function summarize(pairs: readonly Pair[]): Summary {
  const ratios = pairs.map(({ anchor, ours }) => ours / anchor);
  return {
    anchor: median(pairs.map(({ anchor }) => anchor)),
    ours: median(pairs.map(({ ours }) => ours)),
    ratio: median(ratios),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
  };
}

/** Anchor, ours, anchor, ours, … */
export async function takeTurns(
  rounds: number,
  anchor: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) pairs.push({ anchor: await anchor(), ours: await ours() });
  return pairs;
}
