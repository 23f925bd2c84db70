import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "./part.js";
import type { PartResult } from "./soak-store.js";

export type Row = { part: Part; result: PartResult };

const PAGE = join("docs", "promises.md");
const BEGIN = "<!-- soak: written by npm run soak -- --write -->";
const END = "<!-- /soak -->";

export function violationsOf({ slices }: PartResult): string[] {
  return slices.flatMap(({ violations }) => violations);
}

export function renderRow({ part, result }: Row): string {
  const violations = violationsOf(result);
  const verdict = !result.isDone ? "part" : violations.length === 0 ? "ok  " : "FAIL";
  const name = `${part.promise.padEnd(6)} ${part.name.padEnd(15)}${part.title.padEnd(32)}`;
  const lines = violations.slice(0, 20).map((violation) => `        ${violation}`);
  const summary = `${verdict}  ${name} ${secondsOf(result).toFixed(0).padStart(6)} s  seed ${result.seed}  ${didOf({ part, result })}`;
  return [summary, ...lines].join("\n");
}

/**
 * Replaces what stands between the markers. A part without a result for these sources keeps its row: a whole run takes
 * hours, and each row names its commit.
 */
export function writeFigures(parts: readonly Part[], rows: readonly Row[]): void {
  const page = readFileSync(PAGE, "utf8");
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the figures: ${BEGIN} … ${END}`);
  const before = page.slice(start, end).split("\n");
  const lines = parts.flatMap((part) => {
    const row = rows.find((one) => one.part === part);
    return row === undefined ? before.filter((line) => line.includes(`| ${part.title} |`)) : [figuresOf(row)];
  });
  const table = [
    "| # | Part | Done | Violations | Time | Commit | Seed |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ];
  writeFileSync(PAGE, `${page.slice(0, start)}${BEGIN}\n\n${table.join("\n")}\n\n${page.slice(end)}`);
}

function figuresOf({ part, result }: Row): string {
  const violations = violationsOf(result).length;
  const cells = [
    part.promise,
    part.title,
    didOf({ part, result }),
    violations === 0 ? "none" : String(violations),
    duration(secondsOf(result)),
    `\`${result.commit}\`, ${result.at.slice(0, 10)}`,
    String(result.seed),
  ];
  return `| ${cells.join(" | ")} |`;
}

function didOf({ part, result }: Row): string {
  return result.slices.length === 0 ? "" : part.describe(result.slices.map(({ counts }) => counts));
}

function secondsOf({ slices }: PartResult): number {
  return slices.reduce((sum, { seconds }) => sum + seconds, 0);
}

function duration(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
