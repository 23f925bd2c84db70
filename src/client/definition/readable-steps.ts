import { workflowStep } from "../../contract/http/workflows.js";
import type { DefinedStep } from "../../model/workflow.js";

/**
 * The steps of a definition that breaks the schema somewhere, as far as they can be read: so that a wrong type in one
 * place does not hide a circle in another. Undefined if there is no list of steps.
 */
export function readableSteps(definition: unknown): DefinedStep[] | undefined {
  const steps = propertyOf(definition, "steps");
  return Array.isArray(steps) ? steps.map(readStep) : undefined;
}

function readStep(step: unknown): DefinedStep {
  const fields = Object.entries(workflowStep.shape).flatMap(([key, schema]) => {
    const value = propertyOf(step, key);
    return value !== undefined && schema.safeParse(value).success ? [[key, value]] : [];
  });
  const read = workflowStep.safeParse(Object.fromEntries(fields));
  const name = propertyOf(step, "name");
  // A name that is not allowed is still what others call it by.
  const called = typeof name === "string" || typeof name === "number" ? { name: String(name) } : {};
  return { ...(read.success ? read.data : {}), ...called };
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
