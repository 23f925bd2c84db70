import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isMet, type Limit, type Row, type Unit } from "./row.js";

export function renderTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.what,
    show(row.ours, row.unit),
    `${show(row.anchor, row.unit)} ${row.against}`,
    row.low === row.high ? times(row.ratio) : `${times(row.ratio)} (${times(row.low)}–${times(row.high)})`,
    row.limit === undefined ? "–" : showLimit(row.limit, row.unit),
    row.limit === undefined ? "" : isMet(row) ? "ok" : "FAIL",
  ]);
  const head = ["Measured", "Huddle", "Anchor, same run", "Ratio (all rounds)", "Limit", ""];
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function showLimit({ on, is, bound }: Limit, unit: Unit): string {
  const sign = is === "at least" ? "≥" : "≤";
  return `${sign} ${on === "ratio" ? `${bound}×` : `${bound} ${unit}`}`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

function show(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit === "/s" ? "" : " "}${unit}`;
}

const START = "<!-- bench:start -->";
const END = "<!-- bench:end -->";

/** Puts the table between the page's markers; false when it has none. */
export function writePage(table: string, file: string): boolean {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const start = text.indexOf(START);
  const end = text.indexOf(END);
  if (start === -1 || end < start) return false;
  writeFileSync(file, `${text.slice(0, start + START.length)}\n${table}\n${text.slice(end)}`);
  return true;
}
