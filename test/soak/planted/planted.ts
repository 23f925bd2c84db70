import { type Part, total } from "../part.js";
import { type ChangedCopy, copyCheckout } from "./changed-copy.js";
import { plantedFaults } from "./faults.js";
import type { PlantedFault } from "./planted-fault.js";
import { tryFault, tryWithout } from "./try-fault.js";

/** Copies of the checkout, each with one fault at a time. */
const LANES = 2;

/*
 * Every promise keeps a test in CI that finds a planted fault: for each, the test that guards it passes with nothing planted, and fails,
 * for the right reason, once the fault is there.
 */
export const planted: Part = {
  name: "planted",
  promise: "15",
  title: "a planted fault is found",
  count: plantedFaults.length,
  slice: 8,
  async run({ from, count, progress }) {
    const faults = plantedFaults.slice(from, from + count);
    let done = 0;
    const violations = await findAll(faults, () => progress(++done));
    return { counts: { faults: faults.length, found: faults.length - violations.length }, violations };
  },
  describe: (all) =>
    `${total(all, "found")} of ${total(all, "faults")} found by the test that guards the promise`,
};

/** What was wrong, one for each fault at most. */
export async function findAll(
  faults: readonly PlantedFault[],
  onTried: (fault: PlantedFault, problem: string | undefined) => void,
): Promise<string[]> {
  const violations: string[] = [];
  const copies: ChangedCopy[] = [];
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  try {
    for (let lane = 0; lane < Math.min(LANES, faults.length); lane++) copies.push(copyCheckout());
    const [first] = copies;
    if (first === undefined) return [];
    const before = await tryWithout(first, faults);
    if (before.length > 0) return before;
    const open = [...faults];
    await Promise.all(
      copies.map(async (copy) => {
        for (let fault = open.shift(); fault !== undefined; fault = open.shift()) {
          const problem = await tryFault(copy, fault);
          if (problem !== undefined) violations.push(problem);
          onTried(fault, problem);
        }
      }),
    );
    return violations;
  } finally {
    for (const copy of copies) copy.remove();
  }
}
