/**
 * How often a reader is told of one agent: at most ten frames in any second, spread over it. All agents are due at the same
 * moments, so that one timer and one turn of the event loop serve all that stream.
 */
export type LivePace = {
  /** How many frames may go now. */
  room(now: number): number;
  sent(now: number, frames: number): void;
  /** When the next may go. */
  dueAt(): number;
};

const MOST = 10;
const WITHIN_MS = 1000;
/** Timers may ring a moment early. */
const EARLY_MS = 1;
const APART_MS = WITHIN_MS / MOST + EARLY_MS;

export function createLivePace(): LivePace {
  let recent: number[] = [];
  let due = 0;
  return {
    room(now) {
      if (now + EARLY_MS < due) return 0;
      recent = recent.filter((at) => at > now - WITHIN_MS);
      return MOST - recent.length;
    },
    sent(now, frames) {
      for (let i = 0; i < Math.min(frames, MOST); i++) recent.push(now);
      recent = recent.slice(-MOST);
      const [oldest = now] = recent;
      const whenRoom = recent.length < MOST ? now : oldest + WITHIN_MS + EARLY_MS;
      const moment = Math.floor((now + EARLY_MS) / APART_MS) + Math.min(frames, MOST);
      due = Math.max(moment * APART_MS, whenRoom);
    },
    dueAt: () => due,
  };
}
