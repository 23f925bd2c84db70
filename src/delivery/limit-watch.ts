import type { UsageLimit } from "../runtime/runtime.js";
import type { After } from "./timers.js";

/** A vendor's usage limit, as long as it holds, and what rings when it is over. */
export type LimitWatch = {
  /** Undefined while there is none. */
  current(): UsageLimit | undefined;
  /** It stopped at its limit and has not ended a turn since: whoever is to know of it was told. */
  isKnown(): boolean;
  hold(limit: UsageLimit): void;
  /** A person wants it tried now. False when there is none. */
  lift(): boolean;
  /** It ended a turn: the next limit is another one. */
  passed(): void;
  clear(): void;
};

type LimitWatchPorts = {
  after: After;
  /** Wall time. */
  wall: () => number;
  /** How long after the time that the vendor told. */
  marginMs: number;
  /** Where the vendor does not say when it is over: the pause before each try in a row. */
  pauseMs: readonly number[];
  onOver: () => void;
};

/** So long at a time: the computer may sleep, and its clock may be set. */
const LOOK_MS = 60_000;

export function createLimitWatch({ after, wall, marginMs, pauseMs, onOver }: LimitWatchPorts): LimitWatch {
  let limit: UsageLimit | undefined;
  let tries = 0;
  let cancel = () => {};

  function watch(over: number) {
    cancel();
    const left = over - wall();
    cancel = after(Math.max(0, Math.min(left, LOOK_MS)), () => (wall() >= over ? end() : watch(over)));
  }

  function end() {
    cancel();
    limit = undefined;
    onOver();
  }

  return {
    current: () => limit,
    isKnown: () => tries > 0,
    hold(reached) {
      limit = reached;
      const pause = pauseMs[tries] ?? pauseMs.at(-1) ?? 0;
      tries += 1;
      const told = reached.until === undefined ? 0 : reached.until + marginMs;
      // A time that has passed already is none: it is not asked again and again.
      watch(told > wall() ? told : wall() + pause);
    },
    lift() {
      if (limit === undefined) return false;
      end();
      return true;
    },
    passed() {
      tries = 0;
    },
    clear() {
      cancel();
      limit = undefined;
    },
  };
}
