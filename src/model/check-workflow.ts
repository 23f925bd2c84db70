import { findCycles } from "./find-cycles.js";
import { nameSteps } from "./name-steps.js";
import { nearest } from "./nearest.js";
import { reachesBack } from "./step-ancestors.js";
import { templatesIn } from "./step-templates.js";
import type { DefinedStep } from "./workflow.js";

/** What is wrong with a definition, and where: `["steps", 3, "depends_on", 0]`. */
export type WorkflowIssue = { path: readonly (string | number)[]; problem: string };

const STEPS_MOST = 1000;

/** Fields that are of no use to a step that only asks the person. */
const AGENTS_ONLY = [
  "agent",
  "backend",
  "team",
  "model",
  "project",
  "runtime",
  "output_schema",
  "checks",
  "attempts",
  "timeout_seconds",
  "worktree",
  "keep",
] as const satisfies readonly (keyof DefinedStep)[];

/**
 * All that is wrong with a workflow's steps, as far as it can be told without a hub; none if it can run. Agents and backends
 * are the hub's to know.
 */
export function checkWorkflow(
  { steps }: { steps: readonly DefinedStep[] },
  { most = STEPS_MOST }: { most?: number } = {},
): WorkflowIssue[] {
  if (steps.length === 0) return [{ path: ["steps"], problem: "a workflow has at least one step" }];
  if (steps.length > most) {
    const problem = `${steps.length} steps are too many: at most ${most} (workflows.steps)`;
    return [{ path: ["steps"], problem }];
  }
  const names = nameSteps(steps);
  const places = placesOf(names);
  const parents = parentsOf(steps, places);
  const cycles = findCycles(parents);
  return [
    ...steps.flatMap((step, at) => [
      ...checkName(names, places, at),
      ...checkKind(step, at),
      ...checkDependencies(step, at, places),
    ]),
    ...cycles.map((cycle) => describeCycle(cycle, steps, names)),
    ...checkTemplates(steps, places, cycles.length === 0 ? parents : undefined),
  ];
}

type Places = ReadonlyMap<string, number>;

/** Of two of the same name, the first. */
function placesOf(names: readonly string[]): Places {
  return new Map([...names.entries()].reverse().map(([at, name]) => [name, at]));
}

/** For each step the places of those that it depends on, as far as they are there. */
function parentsOf(steps: readonly DefinedStep[], place: Places): number[][] {
  return steps.map(({ depends_on = [] }, at) => [
    ...new Set(depends_on.flatMap((name) => place.get(name) ?? []).filter((parent) => parent !== at)),
  ]);
}

function checkName(names: readonly string[], places: Places, at: number): WorkflowIssue[] {
  if (places.get(names[at] ?? "") === at) return [];
  return [
    {
      path: ["steps", at, "name"],
      problem: `two steps are named "${names[at]}"; give this one another name`,
    },
  ];
}

function checkKind(step: DefinedStep, at: number): WorkflowIssue[] {
  const issue = (field: string | undefined, problem: string) => ({
    path: field === undefined ? ["steps", at] : ["steps", at, field],
    problem,
  });
  const found: WorkflowIssue[] = [];
  if (step.on === "failure" && (step.depends_on ?? []).length === 0)
    found.push(issue("on", "it would never run: on: failure needs a step in depends_on"));
  if (step.prompt === undefined && step.approve === true) {
    for (const field of AGENTS_ONLY) {
      if (step[field] !== undefined)
        found.push(
          issue(field, "a step without a prompt only asks for approval: leave this out, or give it a prompt"),
        );
    }
    if (typeof step.on_failure === "object")
      found.push(issue("on_failure", "what the person rejected is not asked again: use fail or continue"));
    return found;
  }
  if (step.prompt === undefined)
    found.push(
      issue(undefined, "it has no prompt; a step without one needs approve: true, and only asks the person"),
    );
  if (step.agent === undefined && step.backend === undefined)
    found.push(issue(undefined, "it does not say who does it: name an agent or a backend"));
  if (step.agent !== undefined && step.backend !== undefined)
    found.push(issue("backend", "name either an agent or a backend, not both"));
  return found;
}

function checkDependencies({ depends_on = [] }: DefinedStep, at: number, places: Places): WorkflowIssue[] {
  return depends_on.flatMap((name, i) => {
    const path = ["steps", at, "depends_on", i];
    const other = places.get(name);
    if (other === undefined) return [{ path, problem: unknownStep(name, places) }];
    return other === at ? [{ path, problem: `"${name}" depends on itself` }] : [];
  });
}

function unknownStep(name: string, places: Places): string {
  const meant = nearest(name, places.keys());
  return `no step is named "${name}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
}

function describeCycle(
  cycle: readonly number[],
  steps: readonly DefinedStep[],
  names: readonly string[],
): WorkflowIssue {
  const [first = 0, second = first] = cycle;
  const way = [...cycle, first].map((at) => names[at]).join(" → ");
  const index = (steps[first]?.depends_on ?? []).indexOf(names[second] ?? "");
  return {
    path: ["steps", first, "depends_on", Math.max(0, index)],
    problem: `these steps depend on each other in a circle, so that none could begin: ${way}`,
  };
}

function checkTemplates(
  steps: readonly DefinedStep[],
  places: Places,
  parents: readonly (readonly number[])[] | undefined,
): WorkflowIssue[] {
  const isBefore = parents === undefined ? undefined : reachesBack(parents);
  const problemOf = (at: number, name: string, field: string, text: string): string | undefined => {
    const other = places.get(name);
    // Somebody else's template, such as one that the prompt is about.
    if (field !== "output")
      return other === undefined ? undefined : `${text}: a step has no "${field}"; write {{${name}.output}}`;
    if (other === undefined) return `${text}: ${unknownStep(name, places)}`;
    if (other === at) return `${text} is its own output, which it does not have yet`;
    if (isBefore === undefined || isBefore(at, other)) return undefined;
    return `${text}: it does not depend on "${name}"; add it to depends_on`;
  };
  return steps.flatMap(({ prompt = "" }, at) => {
    const problems = templatesIn(prompt).flatMap(
      ({ step, field, text }) => problemOf(at, step, field, text) ?? [],
    );
    return [...new Set(problems)].map((problem) => ({ path: ["steps", at, "prompt"], problem }));
  });
}
