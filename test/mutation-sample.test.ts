import { expect, test } from "vitest";
import { pickSample } from "../scripts/mutation/sample.mjs";

const mutants = (part: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ key: `${part} ${n}`, part }));

test("a sample has as many of each part, and all of one that is small", () => {
  const picked = pickSample([...mutants("journal", 50), ...mutants("auth", 3), ...mutants("hub", 500)], {
    count: 23,
    seed: 1,
  });
  const of = (name: string) => picked.filter(({ part }) => part === name).length;

  expect({ journal: of("journal"), auth: of("auth"), hub: of("hub") }).toEqual({
    journal: 10,
    auth: 3,
    hub: 10,
  });
});

test("the same seed picks the same ones in another order and among others; another seed picks others", () => {
  const all = mutants("journal", 100);
  const keys = (sample: readonly { key: string }[]) => sample.map(({ key }) => key);
  const picked = keys(pickSample(all, { count: 10, seed: 1 }));

  expect(keys(pickSample(all.toReversed(), { count: 10, seed: 1 }))).toEqual(picked);
  const after = new Set(
    keys(pickSample([...all, ...mutants("journal", 105).slice(100)], { count: 10, seed: 1 })),
  );
  expect(picked.filter((key) => after.has(key)).length).toBeGreaterThanOrEqual(7);
  expect(keys(pickSample(all, { count: 10, seed: 2 }))).not.toEqual(picked);
});
