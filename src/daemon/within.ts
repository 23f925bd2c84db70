import { setTimeout as sleep } from "node:timers/promises";

/** What the work came to, or what `late` makes of it once the time is over. The work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const waiting = new AbortController();
  const over = sleep(ms, undefined, { ref: false, signal: waiting.signal }).then(() => {
    throw late();
  });
  over.catch(() => {});
  try {
    return await Promise.race([work, over]);
  } finally {
    waiting.abort();
  }
}
