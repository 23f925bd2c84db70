import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { WorkflowId } from "../../model/task.js";
import { isStepEnded, type Workflow, type WorkflowStep } from "../../model/workflow.js";
import type { StepRow } from "../../views/workflows.js";
import type { HubContext } from "../context.js";

/*
 * A workflow while one decision goes on. The views do not show that decision's own events yet, and one decision may end
 * several steps (an agent leaves, say): what it has changed so far is kept here, for as long as its context.
 */

/** A step as it stands in this decision. `output` and `comment` are what this decision itself brought. */
export type StepNow = Pick<
  StepRow,
  | "name"
  | "state"
  | "waits"
  | "bad"
  | "skipped"
  | "attempt"
  | "spent"
  | "task"
  | "decided"
  | "error"
  | "assignee"
> & {
  defined: WorkflowStep;
  output?: string;
  comment?: string;
  continued: boolean;
  /** It runs whatever its condition says. */
  isForced?: boolean;
};

export type Flow = {
  id: WorkflowId;
  workflow: Workflow;
  /** It is being cancelled: nothing new begins. */
  isStopping: boolean;
  isOver: boolean;
  /** Its budget is used up: no step begins. */
  isHeld: boolean;
  runs: number;
  /** Steps in all, those that have ended, and those of them that make it fail. */
  steps: number;
  over: number;
  bad: number;
  step(name: string): StepNow | undefined;
  dependents(name: string): StepNow[];
  /** Every step, in the order of the definition. */
  all(): StepNow[];
  /** Steps whose dependencies have ended in this decision, to be decided upon. */
  ready: StepNow[];
};

type Overlay = { flows: Map<WorkflowId, Flow>; leaving: Set<AgentId> };

const overlays = new WeakMap<HubContext, Overlay>();

function overlayOf(context: HubContext): Overlay {
  const known = overlays.get(context) ?? { flows: new Map(), leaving: new Set() };
  overlays.set(context, known);
  return known;
}

/** It goes for good in this decision: nothing more is given to it. */
export function noteLeaving(context: HubContext, agent: AgentId): void {
  overlayOf(context).leaving.add(agent);
}

export function isLeaving(context: HubContext, agent: AgentId): boolean {
  return overlays.get(context)?.leaving.has(agent) === true;
}

/** A stored workflow; none where it was pruned. */
export function flowOf(context: HubContext, id: WorkflowId): Flow | undefined {
  const { flows } = overlayOf(context);
  const earlier = flows.get(id);
  if (earlier !== undefined) return earlier;
  const { workflows } = context.views;
  const row = workflows.byId(id);
  const definition = workflows.definition(id);
  if (row === undefined || definition === undefined) return undefined;
  const seen = new Map<string, StepNow>();
  const now = (stored: StepRow): StepNow => {
    const known = seen.get(stored.name);
    if (known !== undefined) return known;
    const step = { defined: definedStep(definition.named, stored.name), ...stored };
    seen.set(stored.name, step);
    return step;
  };
  const flow: Flow = {
    id,
    workflow: definition,
    isStopping: false,
    isOver: row.state !== "running",
    isHeld: context.views.budgets.reached("workflow", id) !== undefined,
    runs: row.runs,
    steps: row.steps,
    over: row.over,
    bad: row.bad,
    step(name) {
      const known = seen.get(name);
      const stored = known === undefined ? workflows.step(id, name) : undefined;
      return stored === undefined ? known : now(stored);
    },
    dependents: (name) => workflows.dependents(id, name).map(now),
    all: () => workflows.steps(id).map(now),
    ready: [],
  };
  flows.set(id, flow);
  return flow;
}

function definedStep(byName: ReadonlyMap<string, WorkflowStep>, name: string): WorkflowStep {
  const defined = byName.get(name);
  if (defined === undefined) throw new HubError("INTERNAL", `No step ${name}`);
  return defined;
}

/** One that comes to be in this decision. */
export function newFlow(context: HubContext, workflow: Workflow): Flow {
  const steps = workflow.steps.map(
    (defined): StepNow => ({
      name: defined.name,
      state: "pending",
      waits: defined.dependsOn.length,
      bad: 0,
      skipped: 0,
      attempt: 0,
      spent: 0,
      task: null,
      decided: null,
      error: null,
      assignee: null,
      continued: false,
      defined,
    }),
  );
  const byName = new Map(steps.map((step) => [step.name, step]));
  const children = new Map<string, StepNow[]>();
  for (const step of steps) {
    for (const parent of step.defined.dependsOn) {
      const known = children.get(parent);
      if (known === undefined) children.set(parent, [step]);
      else known.push(step);
    }
  }
  const flow: Flow = {
    id: workflow.id,
    workflow,
    isStopping: false,
    isOver: false,
    isHeld: false,
    runs: 1,
    steps: steps.length,
    over: 0,
    bad: 0,
    step: (name) => byName.get(name),
    dependents: (name) => children.get(name) ?? [],
    all: () => steps,
    ready: steps.filter(({ waits }) => waits === 0),
  };
  overlayOf(context).flows.set(workflow.id, flow);
  return flow;
}

export function isOpen(step: StepNow): boolean {
  return !isStepEnded(step.state);
}
