import { sleep } from "./sleep.js";

type RetryOptions = {
  firstMs: number;
  /** Pauses double up to this. */
  mostMs: number;
  /** How long to pause before the next try, given what would be usual; undefined if there is none: the error stands. */
  pauseAfter: (error: unknown, failed: { tries: number; usualMs: number }) => number | undefined;
  signal?: AbortSignal | undefined;
  /** For a clock of one's own. */
  wait?: (ms: number) => Promise<void>;
};

/** Repeats what may safely be done twice until it succeeds, or is not worth another try. */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { firstMs, mostMs, pauseAfter, signal } = options;
  const wait = options.wait ?? ((ms) => sleep(ms, signal));
  for (let tries = 1, usualMs = firstMs; ; tries++, usualMs = Math.min(usualMs * 2, mostMs)) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = pauseAfter(error, { tries, usualMs });
      if (pauseMs === undefined) throw error;
      await wait(pauseMs);
    }
  }
}
