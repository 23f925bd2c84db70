import type { Caller } from "../caller/auth.js";

/** No timer runs longer than this: a longer one would ring at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A stream is worth no more than the token that it was opened with: a desk's ends at a time of its own (ADR 41), and what it opened
 * ends with it. Gives what calls that off.
 */
export function endWithToken(caller: Caller, wall: () => number, end: (reason: string) => void): () => void {
  if (caller.kind !== "operator" || caller.deskUntil === undefined) return () => {};
  const { deskUntil } = caller;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const left = deskUntil - wall();
    // Looked at again when it rings: the clock may have been set.
    if (left <= 0) end("the desk's token has ended");
    else timer = setTimeout(wait, Math.min(left, LONGEST_MS)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
