import { setTimeout as sleep } from "node:timers/promises";
import { HubError } from "../model/errors.js";

type RetryOptions = { budgetMs: number; firstDelayMs?: number; signal?: AbortSignal | undefined };

const MAX_DELAY_MS = 1_000;

/**
 * Repeats what may safely be done twice while the hub is going away, coming back or overloaded. A hub that was never
 * there is not waited for: the first attempt's refused connection is the answer.
 */
export async function retry<T>(
  attempt: (leftMs: number) => Promise<T>,
  { budgetMs, firstDelayMs = 50, signal }: RetryOptions,
): Promise<T> {
  const deadline = performance.now() + budgetMs;
  let delayMs = firstDelayMs;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(Math.max(1, deadline - performance.now()));
    } catch (error) {
      const leftMs = deadline - performance.now();
      const waitMs = Math.max(delayMs, retryAfterMs(error));
      if (!passesByItself(error, tries) || waitMs >= leftMs) throw error;
      await sleep(waitMs, undefined, { signal });
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
  }
}

function passesByItself(error: unknown, tries: number): boolean {
  if (!(error instanceof HubError)) return false;
  switch (error.code) {
    case "HUB_UNREACHABLE":
      return error.details["sent"] === true || tries > 1;
    case "SHUTTING_DOWN":
    case "OUTCOME_UNKNOWN":
      return true;
    default:
      return false;
  }
}

function retryAfterMs(error: unknown): number {
  const wanted = error instanceof HubError ? error.details["retry_after_ms"] : undefined;
  return typeof wanted === "number" ? wanted : 0;
}
