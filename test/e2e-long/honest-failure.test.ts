import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHubYard } from "../fakes/hub-process.js";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { mountSmallDisk } from "../fakes/small-disk.js";
import { straceMissing } from "../fakes/strace.js";
import { chooseFaultPoints, type Prepared, prepareFaults, runFaultPoint } from "../soak/disk-faults.js";
import { runFullDisk } from "../soak/full-disk.js";

/** As many as `npm run soak faults` tries. */
const POINTS = 300;
/** Flushes that fail, a disk without space, writes that fail: of these, those that come first, and some by the new seed. */
const KNOWN = 14;
const NEW = 6;
const missing = straceMissing();

describe.skipIf(missing !== undefined)(`a journal whose disk fails ${missing ?? ""}`, () => {
  const [known = 0, ...others] = chooseSeeds();
  const points = [
    ...chooseFaultPoints(POINTS, createRandom(known))
      .slice(0, KNOWN)
      .map((point) => ({ ...point, seed: known })),
    ...others.slice(-1).flatMap((seed) => {
      const random = createRandom(seed);
      const all = chooseFaultPoints(POINTS, random);
      return Array.from({ length: NEW }, () => ({ ...random.pick(all), seed }));
    }),
  ];
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
  // `npm run soak disks` has smaller messages, and larger disks.
  test("refuses messages with 507 and takes them once there is room", async ({ skip }) => {
    const disk = mountSmallDisk(32 * 1024 * 1024);
    if (typeof disk === "string") return skip(disk);
    try {
      const result = await runFullDisk(disk, { bodyBytes: 20_000 });

      expect(result.violations).toEqual([]);
      expect(result.refused).toBeGreaterThanOrEqual(40);
      expect(result.accepted).toBeGreaterThan(result.refused);
    } finally {
      disk.unmount();
    }
  });
});
