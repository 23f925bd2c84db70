import { HubError } from "../model/errors.js";
import { retry } from "../model/retry.js";

type AskOptions = { budgetMs: number; firstDelayMs?: number; signal?: AbortSignal | undefined };

const MAX_DELAY_MS = 1_000;

/**
 * Repeats what may safely be done twice while the hub is going away, coming back or overloaded. A hub that was never
 * there is not waited for: the first attempt's refused connection is the answer.
 */
export function askAgain<T>(
  attempt: (leftMs: number) => Promise<T>,
  { budgetMs, firstDelayMs = 50, signal }: AskOptions,
): Promise<T> {
  const deadline = performance.now() + budgetMs;
  const leftMs = () => deadline - performance.now();
  /** That a hub failed says more than that it is gone afterwards: what was sent may be stored. */
  let unknown: HubError | undefined;
  const attemptOnce = async () => {
    try {
      return await attempt(Math.max(1, leftMs()));
    } catch (error) {
      if (error instanceof HubError && error.code === "OUTCOME_UNKNOWN") unknown = error;
      throw error;
    }
  };
  return retry(attemptOnce, {
    firstMs: firstDelayMs,
    mostMs: MAX_DELAY_MS,
    signal,
    pauseAfter(error, { tries, usualMs }) {
      const waitMs = Math.max(usualMs, retryAfterMs(error));
      return passesByItself(error, tries) && waitMs < leftMs() ? waitMs : undefined;
    },
  }).catch((error: unknown) => {
    const isGone = error instanceof HubError && error.code === "HUB_UNREACHABLE";
    throw isGone && unknown !== undefined ? unknown : error;
  });
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
