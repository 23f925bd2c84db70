import { randomInt } from "node:crypto";

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

/** SEED=… repeats one run, and only that. */
function askedSeed(): number | undefined {
  const asked = process.env["SEED"];
  return asked === undefined || asked === "" ? undefined : Number(asked);
}

const KNOWN_SEEDS = [1, 2];

/**
 * Known seeds first, then one that nobody tried: a change breaks the known ones at once, and the new one finds what they
 * miss. A test that is tried again in the same process gets the same new seed, so that trying again hides nothing.
 */
export function chooseSeeds(): readonly number[] {
  const asked = askedSeed();
  return asked === undefined ? [...KNOWN_SEEDS, newSeed()] : [asked];
}

let chosen: number | undefined;

/** It is printed, so that a log is enough to repeat what it found. */
function newSeed(): number {
  if (chosen === undefined) {
    chosen = randomInt(2 ** 31);
    console.log(`New seed: SEED=${chosen} repeats this run.`);
  }
  return chosen;
}
