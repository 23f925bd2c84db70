import { setTimeout as sleep } from "node:timers/promises";

/** Late enough for those who start a hub to ask it something first. */
const AFTER_MS = 2000;
/** How long a stop waits for the check to end: one large table may take longer. */
const LEAVE_WITHIN_MS = 1000;

/** Has the journal's file checked, once, aside, when the start is over. Returns how to call that off. */
export function checkLater(
  check: (signal: AbortSignal) => Promise<void>,
  onProblem: (error: unknown) => void,
): () => Promise<void> {
  const leaving = new AbortController();
  let checking: Promise<void> | undefined;
  const timer = setTimeout(() => {
    checking = check(leaving.signal).catch(onProblem);
  }, AFTER_MS).unref();
  return async () => {
    clearTimeout(timer);
    leaving.abort();
    if (checking === undefined) return;
    const over = new AbortController();
    const late = sleep(LEAVE_WITHIN_MS, undefined, { signal: over.signal }).catch(() => {});
    await Promise.race([checking, late]);
    over.abort();
  };
}
