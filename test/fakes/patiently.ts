import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "./patience.js";

/** Whoever looks again looks soon at first, and then less often: many tests wait at once, and each look computes. */
export function createPause(): () => Promise<void> {
  let ms = 10;
  return async () => {
    await sleep(ms);
    ms = Math.min(ms * 1.4, 100);
  };
}

/** Waits until the check passes; its last failure if it never does. */
export async function patiently<T>(check: () => T | Promise<T>, timeout = PATIENCE_MS): Promise<T> {
  const deadline = Date.now() + timeout;
  for (const pause = createPause(); ; await pause()) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
