import { afterEach, expect, test, vi } from "vitest";
import type { Part } from "./soak/part.js";
import { runPart } from "./soak/run-part.js";
import type { PartResult, SoakStore } from "./soak/soak-store.js";

afterEach(() => {
  vi.restoreAllMocks();
});

function memoryStore(): SoakStore & { kept: Map<string, PartResult> } {
  const kept = new Map<string, PartResult>();
  return {
    folder: "",
    kept,
    read: ({ name }, count) => kept.get(`${name} ${count}`),
    write: (result) => void kept.set(`${result.part} ${result.count}`, result),
    forget: ({ name }, count) => void kept.delete(`${name} ${count}`),
  };
}

/** Notes the slices that it runs, and is interrupted at one of them. */
function scriptedPart(interruptAt?: number) {
  vi.spyOn(console, "log").mockReturnValue();
  const ran: { from: number; count: number; seed: number }[] = [];
  const part: Part = {
    name: "tries",
    promise: "0",
    title: "",
    count: 25,
    slice: 10,
    run({ from, count, seed }) {
      ran.push({ from, count, seed });
      if (from === interruptAt) throw new Interrupted(); // Not a rejection: the program ends.
      return Promise.resolve({ counts: { tries: count }, violations: [] });
    },
    describe: () => "",
  };
  return { part, ran };
}

class Interrupted extends Error {}

test("a part that was interrupted goes on with the slice that it was at, and then is done", async () => {
  const store = memoryStore();
  const first = scriptedPart(10);
  await expect(runPart({ part: first.part, count: 25, store, seed: 7 })).rejects.toThrow(Interrupted);

  const second = scriptedPart();
  const result = await runPart({ part: second.part, count: 25, store, seed: undefined });
  const third = scriptedPart();
  await runPart({ part: third.part, count: 25, store, seed: undefined });

  expect(first.ran).toEqual([
    { from: 0, count: 10, seed: 7 },
    { from: 10, count: 10, seed: 1007 },
  ]);
  expect(second.ran).toEqual([
    { from: 10, count: 10, seed: 1007 },
    { from: 20, count: 5, seed: 2007 },
  ]);
  expect(third.ran).toEqual([]);
  expect(result).toMatchObject({ isDone: true, seed: 7, slices: [{}, {}, {}] });
});

test("another seed starts over, and no seed is a new one", async () => {
  const store = memoryStore();
  const { part, ran } = scriptedPart();
  await runPart({ part, count: 10, store, seed: 1 });
  await runPart({ part, count: 10, store, seed: 2 });
  await runPart({ part, count: 5, store, seed: undefined });

  expect(ran.map(({ seed }) => seed).slice(0, 2)).toEqual([1, 2]);
  expect(ran[2]?.seed).toBeGreaterThan(2);
});

test("a slice that breaks off is a violation, and the rest is run", async () => {
  const { part } = scriptedPart();
  const run: Part["run"] = ({ from }) =>
    from === 0 ? Promise.reject(new Error("no disk")) : Promise.resolve({ counts: {}, violations: [] });

  const result = await runPart({ part: { ...part, run }, count: 25, store: memoryStore(), seed: 1 });

  expect(result.isDone).toBe(true);
  expect(result.slices.map(({ violations }) => violations.length)).toEqual([1, 0, 0]);
});
