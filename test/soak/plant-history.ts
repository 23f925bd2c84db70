import type { Random } from "../fakes/random.js";
import type { Operation, Outcome } from "./claim-history.js";

/*
 * Histories made up with a known truth: good ones, as a hub with one winner would answer them, and bad ones, in which one
 * answer was changed so that no order explains it. The checker is checked with both.
 */

const AGENTS = ["ann", "ben", "cat", "dan"];
const OPERATIONS = 12;

/** Some operations, each taking effect at one moment between its call and its answer; some are never answered. */
export function goodHistory(random: Random, { answersLost = 0.1 } = {}): Operation[] {
  const planned = Array.from({ length: OPERATIONS }, (_, i) => {
    const effect = i * 10 + random.int(10);
    return {
      by: random.pick(AGENTS),
      action: random.pick(["claim", "claim", "claim", "release", "look"] as const),
      effect,
      called: effect - random.between(0, 40),
      answered: effect + random.between(0, 40),
      isLost: random.chance(answersLost),
      happens: random.chance(0.5),
    };
  });
  let owner: string | null = null;
  return planned.map(({ by, action, called, answered, isLost, happens }) => {
    const unanswered = {
      by,
      action,
      called,
      answered: Number.POSITIVE_INFINITY,
      outcome: { kind: "unknown" },
    } as const;
    if (isLost && !happens) return unanswered;
    const outcome = answerOf(action, by, owner);
    if (outcome.kind === "won") owner = by;
    if (outcome.kind === "released") owner = null;
    return isLost ? unanswered : { by, action, called, answered, outcome };
  });
}

function answerOf(action: Operation["action"], by: string, owner: string | null): Outcome {
  if (action === "look") return { kind: "saw", owner };
  const isOpen = owner === null || owner === by;
  if (action === "claim") return isOpen ? { kind: "won" } : { kind: "lost", owner };
  return isOpen ? { kind: "released" } : { kind: "kept", owner };
}

/** Ways in which a hub could break its promise, as what its clients would be told after a good history. */
export const plantedFaults = {
  "two winners at once": () => [...at(0, claim("eve", "won"), claim("fay", "won"))],
  "a second winner later": () => [...at(0, claim("eve", "won")), ...at(100, claim("fay", "won"))],
  "a winner that is told it lost": () => [
    ...at(0, claim("eve", "won")),
    ...at(100, { by: "eve", action: "claim", outcome: { kind: "lost", owner: "fay" } }),
  ],
  "a loser although nobody had it": () =>
    at(0, { by: "eve", action: "claim", outcome: { kind: "lost", owner: "fay" } }),
  "a loser told of the wrong owner": () => [
    ...at(0, claim("eve", "won")),
    ...at(100, { by: "gus", action: "claim", outcome: { kind: "lost", owner: "fay" } }),
  ],
  "a win that is forgotten": () => [...at(0, claim("eve", "won")), ...at(100, look(null))],
  "a look at an owner that never was": () => at(0, look("nobody-of-that-name")),
  "a look at an earlier owner": () => [
    ...at(0, claim("eve", "won")),
    ...at(100, release("eve", "released")),
    ...at(200, claim("fay", "won")),
    ...at(300, look("eve")),
  ],
  "a release of what is another's": () => [
    ...at(0, claim("eve", "won")),
    ...at(100, release("fay", "released")),
  ],
  "a release that did nothing": () => [
    ...at(0, claim("eve", "won")),
    ...at(100, release("eve", "released")),
    ...at(200, { by: "fay", action: "claim", outcome: { kind: "lost", owner: "eve" } }),
  ],
} as const satisfies Record<string, () => Planted[]>;

type Planted = Pick<Operation, "by" | "action" | "outcome"> & { from: number };

function at(from: number, ...operations: Omit<Planted, "from">[]): Planted[] {
  return operations.map((operation) => ({ ...operation, from }));
}

function claim(by: string, kind: "won") {
  return { by, action: "claim", outcome: { kind } } as const;
}

function release(by: string, kind: "released") {
  return { by, action: "release", outcome: { kind } } as const;
}

function look(owner: string | null) {
  return { by: "gus", action: "look", outcome: { kind: "saw", owner } } as const;
}

/** A good history of one thing, at whose end it is nobody's, followed by the fault. */
export function badHistory(random: Random, fault: keyof typeof plantedFaults): Operation[] {
  const good = goodHistory(random, { answersLost: 0 });
  const end = Math.max(0, ...good.map(({ answered }) => answered));
  const owner = lastOwner(good);
  const settled: Operation[] =
    owner === null
      ? []
      : [
          {
            by: owner,
            action: "release",
            called: end + 10,
            answered: end + 20,
            outcome: { kind: "released" },
          },
        ];
  const planted = plantedFaults[fault]().map(
    ({ from, ...operation }): Operation => ({
      ...operation,
      called: end + 100 + from,
      answered: end + 100 + from + 50,
    }),
  );
  return shuffle(random, [...good, ...settled, ...planted]);
}

/** In a good history the operations stand in the order in which they took effect. */
function lastOwner(good: readonly Operation[]): string | null {
  let owner: string | null = null;
  for (const { by, outcome } of good) {
    if (outcome.kind === "won") owner = by;
    if (outcome.kind === "released") owner = null;
  }
  return owner;
}

/** The checker must not rely on the order in which it is told. */
function shuffle<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
