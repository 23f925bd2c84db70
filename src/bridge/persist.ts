import { Refused, Unreachable } from "./failures.js";
import type { HomeHub } from "./home-hub.js";

const RETRY_MS = 10_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/** Tries again for a while when the hub is away. What is tried MUST be safe to repeat. */
export async function persist<T>(
  hub: HomeHub,
  isStillWanted: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  let since: number | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      const result = await work();
      hub.met();
      return result;
    } catch (error) {
      if (!(error instanceof Unreachable) || !isStillWanted()) throw error;
      since ??= performance.now();
      hub.revive(since);
      if (performance.now() - since > RETRY_MS) throw unreachable(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function unreachable({ message }: Unreachable): Refused {
  return new Refused({
    error: `The hub cannot be reached (${message}). Check it with \`huddle status\`, or start it: huddle up`,
    code: "HUB_UNREACHABLE",
  });
}
