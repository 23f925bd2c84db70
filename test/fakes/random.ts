/** A reproducible source of chance: the same seed gives the same run. */
export type Random = {
  seed: number;
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Buffer;
};

/** Mulberry32: 32 bits of state are plenty for choosing test inputs. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  const int = (below: number) => Math.floor(next() * below);
  return {
    seed,
    next,
    int,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  };
}

/** The tests repeat one run, so that a change is what breaks them; `npm run soak` looks for new ones. SEED=… sets it. */
export function chooseSeed(): number {
  return Number(process.env["SEED"] ?? 1);
}
