import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHubYard } from "../fakes/hub-process.js";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { mountSmallDisk } from "../fakes/small-disk.js";
import { straceMissing } from "../fakes/strace.js";
import { chooseFaultPoints, type Prepared, prepareFaults, runFaultPoint } from "../soak/disk-faults.js";
import { runFullDisk } from "../soak/full-disk.js";

/** As many kinds of faults, at as many places, as find a planted one; `npm run soak faults` tries 300. */
const POINTS = 8;
const missing = straceMissing();

describe.skipIf(missing !== undefined)(`a journal whose disk fails ${missing ?? ""}`, () => {
  const seeds = chooseSeeds();
  // Every point once, each seed's in turn.
  const points = seeds.flatMap((seed, turn) =>
    chooseFaultPoints(POINTS, createRandom(seed))
      .filter((_, i) => i % seeds.length === turn)
      .map((point) => ({ ...point, seed })),
  );
  const yard = createHubYard();
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepareFaults(yard);
  });
  afterAll(() => yard.clear());

  test.concurrent.each(points)(
    "$name: nothing accepted is lost, what failed is stored once (SEED=$seed)",
    async (point) => {
      const result = await runFaultPoint(point, prepared);

      expect(result.violations).toEqual([]);
      expect(result.refused + result.unknown).toBeGreaterThan(0);
    },
  );
});

describe("a disk that is really full", () => {
  test.for([2_000, 20_000])(
    "refuses messages of %i bytes with 507 and takes them once there is room",
    async (bodyBytes, { skip }) => {
      const disk = mountSmallDisk(32 * 1024 * 1024);
      if (typeof disk === "string") return skip(disk);
      try {
        const result = await runFullDisk(disk, { bodyBytes });

        expect(result.violations).toEqual([]);
        expect(result.refused).toBeGreaterThanOrEqual(40);
        expect(result.accepted).toBeGreaterThan(result.refused);
      } finally {
        disk.unmount();
      }
    },
  );
});
