import { sayClock, sayClockSeconds, sayDay } from "../parts/time.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const gaps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 4, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 6, 12, 24, 48, 168].map((count) => count * HOUR),
];

export type TimeScale = {
  from: number;
  to: number;
  ticks: readonly { at: number; label: string }[];
  /** Where a time stands, as a part of one. */
  place: (at: number) => number;
};

/**
 * Between two times, with so many marks at most, at times that a clock shows. `room`: how much is left for words behind the end,
 * as a part of the time between.
 */
export function scaleTime(begin: number, end: number, most: number, room = 0.22): TimeScale {
  const span = Math.max(end - begin, 4 * SECOND);
  const gap = gaps.find((one) => span / one <= most - 1) ?? Math.ceil(span / most);
  const shift = new Date(begin).getTimezoneOffset() * MINUTE;
  const from = Math.floor((begin - shift) / gap) * gap + shift;
  const to = begin + span * (1 + room);
  const last = from + (to - from) * 0.93;
  const ticks = Array.from({ length: Math.floor((last - from) / gap) + 1 }, (_, at) => from + at * gap).map(
    (at) => ({ at, label: sayTick(at, gap, end) }),
  );
  return { from, to, ticks, place: (at) => (at - from) / (to - from) };
}

function sayTick(at: number, gap: number, now: number): string {
  if (gap >= 24 * HOUR) return sayDay(at, now);
  return gap >= MINUTE ? sayClock(at) : sayClockSeconds(at);
}
