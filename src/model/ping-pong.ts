/*
 * Two agents that answer each other without an end in sight, told by the minutes of both directions of their pair, and by how
 * far its cooldowns went. Counts are oldest first; the last minute is not over.
 */

type Way = { minutes: readonly number[]; level: number };

/** So many messages, in so many minutes without a pause. */
export type PingPong = { messages: number; minutes: number };

const LEAST_MESSAGES = 8;
const LEAST_EACH = 3;
/** A cooldown that has come so far is evidence by itself. */
const LEAST_LEVEL = 2;
/** Otherwise so many a minute, each, over the newest of the minutes. */
const LEAST_RATE = 4;
const RATE_MINUTES = 3;

/** Undefined unless both write quickly, about as often as each other, up to now. */
export function findPingPong(one: Way, other: Way): PingPong | undefined {
  const [there, back] = [one.minutes, other.minutes];
  const both = there.map((count, minute) => count + (back[minute] ?? 0));
  // A minute that has just begun says nothing.
  const end = both.at(-1) === 0 ? both.length - 1 : both.length;
  const start = 1 + both.lastIndexOf(0, end - 1);
  const [sent, answered] = [sum(there.slice(start, end)), sum(back.slice(start, end))];
  const [less, more] = [Math.min(sent, answered), Math.max(sent, answered)];
  if (less < LEAST_EACH || less + more < LEAST_MESSAGES || less * 2 < more) return undefined;
  const newest = Math.max(start, end - RATE_MINUTES);
  const rate = Math.min(sum(there.slice(newest, end)), sum(back.slice(newest, end))) / (end - newest);
  if (rate < LEAST_RATE && Math.min(one.level, other.level) < LEAST_LEVEL) return undefined;
  return { messages: less + more, minutes: end - start };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
