import type { ChangedCopy } from "./changed-copy.js";
import type { PlantedFault } from "./planted-fault.js";
import { type GuardRun, runGuards, runIn, statesOf } from "./run-guards.js";

const PRINTED_MOST = 3000;

/** What is wrong with the tests where nothing is planted: each must run, and pass. */
export async function tryWithout(copy: ChangedCopy, faults: readonly PlantedFault[]): Promise<string[]> {
  const run = await runGuards(
    copy.folder,
    faults.map(({ guard }) => guard),
  );
  const problems = faults.flatMap(({ guard }) => {
    const states = statesOf(guard, run);
    if (states.length > 0 && states.every((state) => state === "passed")) return [];
    return [`with nothing planted, "${guard.test}" of ${guard.file} ${states.join(", ") || "did not run"}`];
  });
  return problems.length === 0 ? [] : [...new Set(problems), endOf(run)];
}

/** Why the fault was not found, or undefined. */
export async function tryFault(copy: ChangedCopy, fault: PlantedFault): Promise<string | undefined> {
  const planted = copy.plant(fault.edits);
  try {
    // Tests of whole hubs start what is in dist/; the others import the sources.
    if (fault.guard.file.includes("/e2e")) await bundle(copy);
    const run = await runGuards(copy.folder, [fault.guard]);
    const states = statesOf(fault.guard, run);
    const where = `promise ${fault.promise}, "${fault.name}"`;
    if (states.length === 0) return `${where}: "${fault.guard.test}" did not run\n${endOf(run)}`;
    if (!states.includes("failed")) return `${where}: "${fault.guard.test}" passed`;
    if (!fault.says.test(run.printed)) return `${where}: failed for another reason\n${endOf(run)}`;
    return undefined;
  } finally {
    planted.undo();
  }
}

async function bundle({ folder }: ChangedCopy): Promise<void> {
  const printed = await runIn(folder, ["scripts/build-hub.mjs"]);
  if (printed.includes("Error")) throw new Error(`the changed hub cannot be bundled: ${printed}`);
}

function endOf({ printed }: GuardRun): string {
  return printed.slice(-PRINTED_MOST);
}
