import type { PairList } from "../client/hub-client.js";
import { relativeTime } from "./amounts.js";
import { escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";
import { type Cell, renderTable } from "./table.js";

type Pair = PairList["pairs"][number];

const BARS = "▁▂▃▄▅▆▇█";

/** Who writes to whom, a line for each direction: the minutes as bars, what is held back in amber. */
export function renderPairs(
  pairs: readonly Pair[],
  { now, colors }: { now: number; colors: Colors },
): string {
  if (pairs.length === 0) return "Nobody wrote to anybody in the last ten minutes, and nothing is held back.";
  const most = Math.max(1, ...pairs.flatMap(({ minutes }) => minutes));
  const amber = (text: string): Cell => ({ text, paint: colors.yellow });
  const rows = pairs.map((pair): Cell[] => [
    escapeLine(pair.from),
    escapeLine(pair.to),
    pair.minutes.map((count) => barOf(count, most)).join(""),
    `${pair.per_minute}/min`,
    pair.cap === null ? "–" : `${pair.sent_last_minute}/${pair.cap}`,
    pair.level === 0 ? "–" : amber(describeCooldown(pair)),
    pair.held === 0 ? "–" : amber(String(pair.held)),
    pair.last === null ? "–" : relativeTime(Date.parse(pair.last), now),
    pair.paused ? amber("paused") : isPingPong(pair, pairs) ? "back and forth" : "",
  ]);
  const header = ["FROM", "TO", "10 MINUTES", "RATE", "CAP", "COOLDOWN", "HELD", "LAST", ""];
  return renderTable(header, rows);
}

function describeCooldown({ level, next_ms }: Pair): string {
  return next_ms === 0 ? `level ${level}` : `level ${level}, ${Math.ceil(next_ms / 1000)}s`;
}

function barOf(count: number, most: number): string {
  if (count === 0) return "·";
  return BARS[Math.min(BARS.length - 1, Math.floor(((count - 1) / most) * BARS.length))] ?? "█";
}

/** Both answer each other, three times a minute or more: that may be a loop. */
function isPingPong(pair: Pair, pairs: readonly Pair[]): boolean {
  const back = pairs.find(({ from, to }) => from === pair.to && to === pair.from);
  return pair.cap !== null && pair.per_minute >= 3 && (back?.per_minute ?? 0) >= 3;
}
