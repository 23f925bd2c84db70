import { InvalidArgumentError } from "commander";
import { parseDuration } from "./parse-duration.js";
import { usageError } from "./usage-error.js";

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
