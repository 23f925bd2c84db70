import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { checkAsyncProperty, checkProperty } from "./fakes/check-property.js";
import { chooseSeeds } from "./fakes/random.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("known seeds come first, then a new one that stays the same when a test is tried again", () => {
  vi.stubEnv("SEED", "");
  const seeds = chooseSeeds();

  expect(seeds.slice(0, 2)).toEqual([1, 2]);
  expect(seeds).toHaveLength(3);
  expect(chooseSeeds()).toEqual(seeds);
});

test("a failure names the seed that repeats it, and that seed alone fails the same way", async () => {
  const fails = () => checkProperty(fc.property(fc.nat(), (n) => n < 50));
  vi.stubEnv("SEED", "");
  expect(fails).toThrow(/^SEED=1 repeats this failure/);

  vi.stubEnv("SEED", "123");
  expect(fails).toThrow(/^SEED=123 repeats this failure/);
  await expect(
    checkAsyncProperty(fc.asyncProperty(fc.nat(), (n) => Promise.resolve(n < 50))),
  ).rejects.toThrow(/^SEED=123 /);
});

test.each(["", "5"])("all of the runs are made, with SEED=%j", (seed) => {
  vi.stubEnv("SEED", seed);
  vi.stubEnv("HUDDLE_PROPERTY_RUNS", undefined);
  let runs = 0;

  checkProperty(
    fc.property(fc.nat(), () => {
      runs++;
    }),
    { runs: 40 },
  );

  expect(runs).toBe(40);
});
