import type { After } from "../../src/delivery/timers.js";

/** Timers that ring when a test says so. */
export type TestTimers = {
  after: After;
  /** Rings everything that is due within this time, in order; what they arm meanwhile counts too. */
  advance(ms: number): void;
  pending(): number;
  now(): number;
};

export function createTestTimers(): TestTimers {
  type Timer = { due: number; run: () => void };
  const timers = new Set<Timer>();
  let now = 0;
  return {
    after(ms, run) {
      const timer = { due: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const next = [...timers].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.due);
        next.run();
      }
      now = until;
    },
    pending: () => timers.size,
    now: () => now,
  };
}
