import type { UsageLimit } from "../runtime.js";
import { readResetTime } from "./reset-time.js";

/** As much of a CLI's words as says that the limit is reached, and until when. */
const WORDS_MOST = 300;

/** A reader of the lines in which a CLI says so. */
export function createLimitReader(...patterns: readonly RegExp[]) {
  return (words: string, now: Date): UsageLimit | undefined => {
    const lines = words.split("\n").map((line) => line.trim());
    const at = lines.findIndex((line) => patterns.some((pattern) => pattern.test(line)));
    if (at < 0) return undefined;
    const line = lines[at] ?? "";
    // Some say it in one line and the time in the next; a screen breaks long lines.
    const until = readResetTime(line, now) ?? readResetTime(lines.slice(at, at + 3).join(" "), now);
    return { words: line.slice(0, WORDS_MOST), ...(until === undefined ? {} : { until }) };
  };
}
