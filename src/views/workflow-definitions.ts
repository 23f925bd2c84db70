import type { Workflow, WorkflowStep } from "../model/workflow.js";

/** A workflow as it was created, with its steps by name. */
export type Definition = Created & { named: ReadonlyMap<string, WorkflowStep> };

/** `createdAt` is wall time. */
type Created = Workflow & { createdAt: number };

/** Reading one of a thousand steps is not to cost reading them all, each time: those used last are kept. */
const KEPT = 64;

export function createDefinitions(read: (seq: number) => Created | undefined) {
  const kept = new Map<number, Definition>();
  return {
    /** By the seq of its WorkflowCreated; undefined where that was pruned. */
    at(seq: number): Definition | undefined {
      const known = kept.get(seq) ?? parse(seq);
      if (known === undefined) return undefined;
      kept.delete(seq);
      kept.set(seq, known);
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return known;
    },
    clear: () => kept.clear(),
  };

  function parse(seq: number): Definition | undefined {
    const workflow = read(seq);
    if (workflow === undefined) return undefined;
    return { ...workflow, named: new Map(workflow.steps.map((step) => [step.name, step])) };
  }
}
