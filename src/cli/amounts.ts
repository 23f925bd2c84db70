import { InvalidArgumentError } from "commander";
import { parseDuration as parse } from "../model/duration.js";
import { usageError } from "./usage-error.js";

/** A duration as the configuration has it, or a bare number of seconds, in milliseconds. For commander's options. */
export function parseDuration(text: string): number {
  const given = text.trim();
  const ms = parse(/^[\d.]+$/.test(given) ? `${given}s` : given);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("Give a time such as 30s, 10m or 2h.");
}

/** What an option such as --since takes, `10m` (that long ago) or an ISO time, as an ISO time. */
export function readMoment(option: string, text: string, now: number): string {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : now - durationOf(text);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw usageError(`${option} does not take "${text}"`, "Give a time such as 10m, 90d or 2026-01-31.");
}

function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return Number.NaN;
    throw error;
  }
}

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

/** How long something has lasted, in one unit: `3s`, `4m`, `2h`, `3d`. */
export function shortSpan(ms: number): string {
  return Number.isNaN(ms) ? "?" : (formatSpan(ms).split(" ")[0] ?? "");
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

/** `14:40`, or with its day when that is a day or more from now: `Nov 19 14:40`. Where the person is. */
export function moment(at: number, now: number): string {
  const time = clockTime(at).slice(0, 5);
  if (Number.isNaN(at) || Math.abs(at - now) < DAY) return time;
  return `${new Date(at).toDateString().slice(4, 10)} ${time}`;
}

/** `1 file`, `2 files`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
