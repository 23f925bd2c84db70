/** Late enough for those who start a hub to ask it something first. */
const AFTER_MS = 2000;

/** Has the journal's file checked, once, aside, when the start is over. Returns how to call that off. */
export function checkLater(
  check: (signal: AbortSignal) => Promise<void>,
  onProblem: (error: unknown) => void,
): () => void {
  const leaving = new AbortController();
  const timer = setTimeout(() => void check(leaving.signal).catch(onProblem), AFTER_MS).unref();
  return () => {
    clearTimeout(timer);
    leaving.abort();
  };
}
