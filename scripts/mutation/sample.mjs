import { hash } from "./mutants.mjs";

/**
 * As many mutants of each part as of the others, as far as there are that many. Which ones follows from the seed and their
 * names alone: the same seed picks the same mutants again, whatever else changed.
 * @template {{ key: string, part: string }} M
 * @param {readonly M[]} mutants
 * @param {{ count: number, seed: number }} options
 * @returns {M[]}
 */
export function pickSample(mutants, { count, seed }) {
  /** @type {Map<string, M[]>} */
  const byPart = new Map();
  for (const mutant of mutants) byPart.set(mutant.part, [...(byPart.get(mutant.part) ?? []), mutant]);
  const rank = (/** @type {M} */ { key }) => hash(`${seed} ${key}`);
  const queues = [...byPart.values()].map((all) => all.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)));
  /** @type {M[]} */
  const picked = [];
  for (let n = 0; picked.length < count && queues.some((queue) => n < queue.length); n++) {
    for (const queue of queues) {
      const next = queue[n];
      if (next !== undefined && picked.length < count) picked.push(next);
    }
  }
  return picked;
}
