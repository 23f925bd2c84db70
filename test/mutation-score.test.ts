import { expect, test } from "vitest";
import { judgeScore, type MutationScore } from "./soak/mutation-score.js";

/** As scripts/mutate.mjs writes it: a part without a counted mutant has no percentage. */
function scoreOf(percents: Record<string, number | undefined>): MutationScore {
  const parts = Object.entries(percents).map(([part, percent]) =>
    percent === undefined ? { part, mutants: 0 } : { part, mutants: 100, percent },
  );
  return { parts, total: { mutants: 100 * parts.length, percent: 90 } };
}

test("a score holds when enough of each promised part was killed, whatever the others are", () => {
  const { counts, violations } = judgeScore(
    scoreOf({ journal: 90, claims: 85, auth: 99.5, hub: 12, policies: undefined }),
  );

  expect(violations).toEqual([]);
  expect(counts).toMatchObject({ journal: 90, hub: 12 });
});

test("a promised part of which too little was killed is named", () => {
  expect(judgeScore(scoreOf({ journal: 84.9, claims: 100, auth: 100 })).violations).toEqual([
    "journal: 84.9% killed, less than 85%",
  ]);
});

test("a promised part of which nothing was tried is named, also when it is not there at all", () => {
  expect(judgeScore(scoreOf({ journal: 90, claims: undefined })).violations).toEqual([
    "claims: no mutant was tried",
    "auth: no mutant was tried",
  ]);
});
