const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `just now`, `12s ago`, `3m ago`, `2h ago`, `4d ago`: one unit is what a glance takes in. */
export function relativeTime(at: number, now: number): string {
  if (Number.isNaN(at)) return "?";
  const age = now - at;
  if (age < 2 * SECOND) return "just now";
  if (age < MINUTE) return `${Math.floor(age / SECOND)}s ago`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h ago`;
  return `${Math.floor(age / DAY)}d ago`;
}

/** How long something has lasted, in its two largest units: `3s`, `4m 5s`, `2h 10m`, `3d 4h`. */
export function formatSpan(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)}s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m ${Math.floor((span % MINUTE) / SECOND)}s`;
  if (span < DAY) return `${Math.floor(span / HOUR)}h ${Math.floor((span % HOUR) / MINUTE)}m`;
  return `${Math.floor(span / DAY)}d ${Math.floor((span % DAY) / HOUR)}h`;
}

/** The time of day where the person is. */
export function clockTime(at: number): string {
  return Number.isNaN(at) ? "--:--:--" : new Date(at).toTimeString().slice(0, 8);
}
