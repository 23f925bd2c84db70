import type { Pace } from "../../model/message.js";
import type { Pair } from "../../views/pairs.js";

export type IfLimited = "hold" | "reject";

/** The cooldown between two agents, one direction. Times in milliseconds. */
export type CooldownLimits = {
  /** Closer together than this, messages raise the level. */
  quickMs: number;
  /** The delay of each level, from the first on; the last one is for all above it. */
  delaysMs: readonly number[];
  /** After this long without a message the level is 0 again. */
  resetMs: number;
  /** Most messages within a rolling minute; 0 for any number. */
  cap: number;
  /** What becomes of a message that comes too soon, when its sender does not say. */
  mode: IfLimited;
};

const MINUTE_MS = 60_000;

type Cooling =
  /** Not before `retryAt`, whatever the sender asked for: the minute is full. */
  | { kind: "capped"; retryAt: number }
  /** `early` until `from`, for a sender that would rather be refused than held. */
  | { kind: "paced"; pace: Pace; from: number };

/**
 * What a message of a pair gets now. Its gap to the previous accepted one decides: under 5 s it is delayed, the more the
 * oftener that happens (2, 4, 8, 16, 30 s); from 5 s on it is instant and the level stays; after 30 s all is forgotten.
 * It is never due before an earlier one of the same pair.
 */
export function cool(pair: Pair | undefined, now: number, limits: CooldownLimits): Cooling {
  const keep = limits.cap;
  if (pair === undefined) return { kind: "paced", pace: { level: 0, due: now, keep }, from: now };
  const recent = pair.recent.filter((at) => now - at < MINUTE_MS);
  const oldest = recent[recent.length - limits.cap];
  if (oldest !== undefined) return { kind: "capped", retryAt: oldest + MINUTE_MS };

  const gap = now - pair.last;
  if (gap >= limits.resetMs)
    return { kind: "paced", pace: { level: 0, due: Math.max(now, pair.due), keep }, from: pair.due };
  if (gap >= limits.quickMs) {
    return { kind: "paced", pace: { level: pair.level, due: Math.max(now, pair.due), keep }, from: pair.due };
  }
  const level = Math.min(pair.level + 1, limits.delaysMs.length);
  const delay = limits.delaysMs[level - 1] ?? 0;
  return {
    kind: "paced",
    pace: { level, due: Math.max(now + delay, pair.due), keep },
    from: Math.max(pair.last + delay, pair.due),
  };
}
