import type { Clock } from "../model/clock.js";

/**
 * Hub time: the wall clock read once at start, carried on by the monotonic clock, and never below the newest event.
 * Setting the computer's clock back or forth while the hub runs moves no deadline and reorders nothing.
 */
type HubTime = { now(): number };

export function startHubTime(clock: Clock, newestEvent: number): HubTime {
  const anchor = Math.max(clock.wall(), newestEvent);
  const started = clock.monotonic();
  let last = anchor;
  return {
    now() {
      last = Math.max(last, anchor + Math.floor(clock.monotonic() - started));
      return last;
    },
  };
}
