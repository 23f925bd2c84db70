import { useSyncExternalStore } from "react";

/*
 * One timer for all that tells how long ago something was: it runs while somebody looks, and stops with the last of them.
 */

const lookers = new Set<() => void>();
let now = Date.now();
let timer: number | undefined;

function subscribe(look: () => void): () => void {
  lookers.add(look);
  if (timer === undefined) {
    now = Date.now();
    timer = window.setInterval(tick, 1000);
  }
  return () => {
    lookers.delete(look);
    if (lookers.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const look of lookers) look();
}

/** The time, once a second. Keep it in the smallest component that shows it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
