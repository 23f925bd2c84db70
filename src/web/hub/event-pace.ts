/*
 * When events are taken. The first after a pause at once, those that follow it together, once a frame. While they come without
 * a pause, ten times a second is often enough for the eye, and a sixth of the work.
 */

/** Longer than a frame takes. */
const PAUSE_MS = 20;
const HALF_SECOND_MS = 500;
/** So many in half a second are more than anybody reads one by one. */
const MANY = 35;
const MANY_PAUSE_MS = 100;
/** No frames are drawn in a tab that nobody sees. */
const HIDDEN_PAUSE_MS = 200;

/** Gives what is to be called for each event; `take` is called for all that came since it was called last. */
export function paceEvents(take: () => void): () => void {
  let isPlanned = false;
  let takenAt = 0;
  /** How many came in the half second before this one, and in the one that runs. */
  let [before, current, since] = [0, 0, 0];

  function isMany(now: number): boolean {
    if (now - since >= HALF_SECOND_MS) {
      before = now - since < 2 * HALF_SECOND_MS ? current : 0;
      current = 0;
      since = now;
    }
    current += 1;
    return Math.max(before, current) >= MANY;
  }

  function takeAll() {
    isPlanned = false;
    takenAt = performance.now();
    take();
  }

  return () => {
    const now = performance.now();
    const many = isMany(now);
    if (isPlanned) return;
    isPlanned = true;
    if (document.visibilityState !== "visible") window.setTimeout(takeAll, HIDDEN_PAUSE_MS);
    else if (many) window.setTimeout(takeAll, MANY_PAUSE_MS);
    else if (now - takenAt > PAUSE_MS) queueMicrotask(takeAll);
    else window.requestAnimationFrame(takeAll);
  };
}
