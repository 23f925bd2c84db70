import { retry } from "../model/retry.js";
import { Refused, Stopping, Unreachable } from "./failures.js";
import type { HomeHub } from "./home-hub.js";

const RETRY_MS = 10_000;
/** A hub that is on its way up is worth waiting for: on a busy machine it takes its time. */
const STARTING_MS = 30_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/**
 * Tries again for a while when the hub is away. What is tried MUST be safe to repeat. A hub that said that it is stopping is
 * waited for, and not started again: whoever stopped it would not thank us.
 */
export async function persist<T>(
  hub: HomeHub,
  isStillWanted: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  let since: number | undefined;
  let wasStopped = false;
  const result = await retry(work, {
    firstMs: FIRST_PAUSE_MS,
    mostMs: LONGEST_PAUSE_MS,
    pauseAfter(error, { usualMs }) {
      if (!(error instanceof Unreachable) || !isStillWanted()) return undefined;
      since ??= performance.now();
      wasStopped ||= error instanceof Stopping;
      if (wasStopped) hub.lost();
      else hub.revive(since);
      const mostMs = hub.isStarting() ? STARTING_MS : RETRY_MS;
      if (performance.now() - since > mostMs) throw unreachable(error);
      return usualMs;
    },
  });
  hub.met();
  return result;
}

function unreachable({ message }: Unreachable): Refused {
  return new Refused({
    error: `The hub cannot be reached (${message}). Check it with \`huddle status\`, or start it: huddle up`,
    code: "HUB_UNREACHABLE",
  });
}
