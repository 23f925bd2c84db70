import type { Clock } from "../../src/model/clock.js";

export type TestClock = Clock & {
  /** Time passes: both clocks go on. */
  advance(ms: number): void;
  /** Somebody sets the computer's clock: wall time moves, nothing else does. */
  jumpWall(ms: number): void;
};

const START = Date.parse("2026-01-05T09:00:00Z");
/** A clock that stands still while it is read would make whoever waits for it wait forever. */
const READING_MS = 0.005;

/** A clock that moves when a test says so (and by 5 µs each time it is read). */
export function createTestClock(): TestClock {
  let monotonic = 1000;
  let offset = START - monotonic;
  return {
    monotonic() {
      monotonic += READING_MS;
      return monotonic;
    },
    wall: () => Math.floor(monotonic + offset),
    advance(ms) {
      monotonic += ms;
    },
    jumpWall(ms) {
      offset += ms;
    },
  };
}
