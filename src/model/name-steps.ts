import type { DefinedStep } from "./workflow.js";

/** What a step that only asks the person is called. */
const GATE = "approval";

/** The names of all steps: their own, or their agent's or backend's, then with -2, -3. */
export function nameSteps(steps: readonly DefinedStep[]): string[] {
  const taken = new Set(steps.flatMap(({ name }) => name ?? []));
  const counts = new Map<string, number>();
  return steps.map((step) => {
    if (step.name !== undefined) return step.name;
    const base = baseName(step.agent ?? step.backend ?? GATE);
    let n = counts.get(base) ?? 1;
    while (taken.has(numbered(base, n))) n++;
    counts.set(base, n + 1);
    taken.add(numbered(base, n));
    return numbered(base, n);
  });
}

function numbered(base: string, n: number): string {
  return n === 1 ? base : `${base}-${n}`;
}

/** An address may hold what a step's name cannot. */
function baseName(address: string): string {
  const name = (address.split("/").at(-1) ?? address)
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 56);
  return name === "" ? "step" : name;
}
