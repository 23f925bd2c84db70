import type { StepDetails } from "../../client/hub-client.js";

/** What somebody can do about a step that did not succeed, in a sentence. */
export function sayNext(
  step: Pick<StepDetails, "status" | "error" | "task_id" | "approve" | "tries">,
): string {
  const error = step.error ?? "";
  switch (step.status) {
    case "failed":
      return afterFailure(step, error);
    case "blocked":
      return "Retrying it also retries what failed before it.";
    case "skipped":
      return "Its condition was not met. Retry runs it all the same.";
    case "cancelled":
      return "Retry goes on from here with what was cancelled after it.";
    default:
      return "";
  }
}

function afterFailure({ approve, task_id, tries }: Parameters<typeof sayNext>[0], error: string): string {
  const when = /\bresets?(?: at)? (\d{1,2}:\d{2})/i.exec(error)?.[1];
  if (when !== undefined) return `Retry after ${when}, or give the step to another agent.`;
  if (/ has left\b/.test(error)) return "Give the step to another agent.";
  if (approve === true && task_id === null) return "Retry asks you again.";
  const failed = tries.at(-1)?.checks.find(({ passed }) => !passed);
  if (failed !== undefined)
    return `See what the check ${failed.name} printed, then retry, or give the step to another agent.`;
  if (/\b(?:timed out|time is up|took longer)\b/i.test(error))
    return "Retry it, or give it more time: timeout_seconds in its definition.";
  return "Retry it, or give the step to another agent.";
}

/** The exit code of what ended it, where one is known. */
export function exitOf({ error, tries }: Pick<StepDetails, "error" | "tries">): number | undefined {
  const failed = tries.at(-1)?.checks.find(({ passed }) => !passed);
  if (failed?.exit !== undefined && failed.exit !== null) return failed.exit;
  const told = /\b(?:exit|code) (?:code )?(\d{1,3})\b/i.exec(error ?? "")?.[1];
  return told === undefined ? undefined : Number(told);
}
