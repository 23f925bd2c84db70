import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import { backoffMs } from "./backoff.js";
import type { After } from "./timers.js";

/*
 * The way out to one peer, one try after the other. Always in one of these modes:
 *
 *   idle      nothing waits, and nothing happens until somebody says that something may
 *   working   a try is under way; `again` when work came meanwhile
 *   pausing   the last try failed, or the peer was behind: the next one is due, or sooner when the peer itself calls
 *   ended     for good
 *
 * idle -> working on work; working -> working while the peer takes all; working -> idle when nothing waits;
 * working -> pausing -> working; all -> ended.
 */
type Mode =
  | { kind: "idle" }
  | { kind: "working"; again: boolean }
  | { kind: "pausing"; callOff: () => void }
  | { kind: "ended" };

export type Lane = {
  /** Something may wait. */
  wake(): void;
  /** The peer is there: a pause after a failure ends. */
  hurry(): void;
  /** Begins nothing more. Resolves when what is under way has ended. */
  end(): Promise<void>;
};

type LaneOptions = {
  /** One try: what it came to, or what it failed with. */
  attempt: () => Promise<"nothing" | "taken" | "behind">;
  onFailure: (error: unknown) => void;
  clock: Clock;
  after: After;
  random: () => number;
};

/** No peer is asked more often than this after it was behind, failed, or called. */
const SOONEST_MS = 200;
const LONGEST_ASKED_MS = 60_000;

export function createLane({ attempt, onFailure, clock, after, random }: LaneOptions): Lane {
  let mode: Mode = { kind: "idle" };
  let under: Promise<void> = Promise.resolve();
  /** Tries in a row that got nowhere. */
  let vain = 0;
  let lastTryAt = Number.NEGATIVE_INFINITY;

  function start() {
    mode = { kind: "working", again: false };
    under = work(mode);
  }

  async function work(own: { kind: "working"; again: boolean }): Promise<void> {
    // Whoever woke us may be in the middle of something.
    await Promise.resolve();
    while (mode === own) {
      own.again = false;
      lastTryAt = clock.monotonic();
      const next = await tryOnce();
      if (mode !== own) return;
      if (typeof next === "number") pause(next);
      else if (next === "rest" && !own.again) mode = { kind: "idle" };
    }
  }

  /** What to do next: go on, rest, or go on after so many milliseconds. */
  async function tryOnce(): Promise<"go on" | "rest" | number> {
    try {
      const came = await attempt();
      vain = came === "behind" ? vain + 1 : 0;
      if (came === "behind") return vain === 1 ? SOONEST_MS : backoffMs(vain - 1, random());
      return came === "nothing" ? "rest" : "go on";
    } catch (error) {
      vain++;
      if (mode.kind !== "ended") onFailure(error);
      return Math.max(backoffMs(vain, random()), askedPause(error));
    }
  }

  function pause(ms: number) {
    mode = { kind: "pausing", callOff: after(Math.max(ms, SOONEST_MS), start) };
  }

  return {
    wake() {
      if (mode.kind === "idle") start();
      else if (mode.kind === "working") mode.again = true;
    },
    hurry() {
      if (mode.kind !== "pausing") return;
      mode.callOff();
      mode = {
        kind: "pausing",
        callOff: after(Math.max(0, lastTryAt + SOONEST_MS - clock.monotonic()), start),
      };
    },
    end() {
      if (mode.kind === "pausing") mode.callOff();
      mode = { kind: "ended" };
      return under;
    },
  };
}

/** A peer may say how long it wants to be left alone. */
function askedPause(error: unknown): number {
  const asked = error instanceof HubError ? error.details["retry_after_ms"] : undefined;
  return typeof asked === "number" && asked > 0 ? Math.min(asked, LONGEST_ASKED_MS) : 0;
}
