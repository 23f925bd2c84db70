/*
 * Times as people read them. `ms` are durations; everything else takes milliseconds since 1970. `toMs` reads what the hub
 * gives.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function toMs(iso: string): number {
  return Date.parse(iso);
}

/** How long something goes on: `0:42`, `12:08`, `1 h 06`. */
export function sayElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))}`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** How long ago, in one unit: `4 s`, `6 m`, `2 h`, `3 d`. */
export function sayAge(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** `now`, `40 s ago`, `2 m ago`. */
export function sayAgo(ms: number): string {
  return ms < SECOND ? "now" : `${sayAge(ms)} ago`;
}

/** A length that is over: `0.2 s`, `38 s`, `2 m 04 s`, `1 h 06 m`. */
export function sayLength(ms: number): string {
  if (ms < 10 * SECOND) return `${(Math.max(0, ms) / SECOND).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} m`;
}

/** How much later than what it follows: `+1.4 s`. */
export function sayOffset(ms: number): string {
  return `+${sayLength(ms)}`;
}

/** `14:31` */
export function sayClock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `14:31:28` */
export function sayClockSeconds(at: number): string {
  return `${sayClock(at)}:${two(new Date(at).getSeconds())}`;
}

/** `14:31:28.204` */
export function sayClockMs(at: number): string {
  return `${sayClockSeconds(at)}.${String(new Date(at).getMilliseconds()).padStart(3, "0")}`;
}

/** `Today`, `Yesterday`, `3 March`, `3 March 2025`. */
export function sayDay(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  const month = date.toLocaleString("en", { month: "long" });
  return `${date.getDate()} ${month}${isThisYear ? "" : ` ${date.getFullYear()}`}`;
}

/** The clock today, else the day with it: `3 March, 14:31`. */
export function sayWhen(at: number, now: number): string {
  const day = sayDay(at, now);
  return day === "Today" ? sayClock(at) : `${day}, ${sayClock(at)}`;
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
