import { create } from "zustand";
import { HUB_ID } from "../../model/agent.js";
import { hub } from "./hub.js";
import { isPerson } from "./read-mail-events.js";

/*
 * How many messages go between agents, told by the events that the page gets anyway: the average of the last five minutes, as
 * `GET /api/pairs` counts it. What was before the page opened is asked for once.
 */

const MINUTE_MS = 60_000;
const RATE_MINUTES = 5;
const TELL_MS = 2_000;

const useRate = create<{ perMinute: number }>(() => ({ perMinute: 0 }));
let byMinute = new Map<number, number>();
let timer: number | undefined;

/** The average over the newest of these minutes, oldest first. */
export function averageRate(minutes: readonly number[]): number {
  return minutes.slice(-RATE_MINUTES).reduce((sum, count) => sum + count, 0) / RATE_MINUTES;
}

/** Messages between agents in each minute, of all pairs together. */
export function addMinutes(
  pairs: readonly { from: string; to: string; minutes: readonly number[] }[],
): number[] {
  const total: number[] = [];
  for (const { from, to, minutes } of pairs) {
    if (isPerson(from) || isPerson(to)) continue;
    minutes.forEach((count, minute) => {
      total[minute] = (total[minute] ?? 0) + count;
    });
  }
  return total;
}

export function countMail(at: string, from: string, to: readonly string[]): void {
  if (from === HUB_ID || isPerson(from)) return;
  const agents = to.filter((id) => !isPerson(id)).length;
  if (agents === 0) return;
  const minute = Math.floor(Date.parse(at) / MINUTE_MS);
  byMinute.set(minute, (byMinute.get(minute) ?? 0) + agents);
  timer ??= window.setTimeout(tell, TELL_MS);
}

export async function loadMailRate(signal: AbortSignal): Promise<void> {
  const { pairs } = await hub.pairs({ signal });
  const now = Math.floor(Date.now() / MINUTE_MS);
  const minutes = addMinutes(pairs);
  byMinute = new Map(minutes.map((count, at) => [now - minutes.length + 1 + at, count]));
  tell();
}

/** Again while there is anything to forget. */
function tell(): void {
  const now = Math.floor(Date.now() / MINUTE_MS);
  for (const minute of byMinute.keys()) if (minute <= now - RATE_MINUTES) byMinute.delete(minute);
  window.clearTimeout(timer);
  timer = byMinute.size === 0 ? undefined : window.setTimeout(tell, TELL_MS);
  useRate.setState({ perMinute: averageRate([...byMinute.values()]) });
}

export function useMailRate(): number {
  return useRate(({ perMinute }) => perMinute);
}
