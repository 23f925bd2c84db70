import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isMet, type Limit, type Row, type Unit } from "./row.js";

/** `run`: when and in which state of the sources, for a table that has rows of several. */
export function renderTable(rows: readonly Row[], run?: string): string {
  const lines = rows.map((row) => [
    row.what,
    show(row.ours, row.unit),
    `${show(row.anchor, row.unit)} ${row.against}`,
    row.low === row.high ? times(row.ratio) : `${times(row.ratio)} (${times(row.low)}–${times(row.high)})`,
    row.limit === undefined ? "–" : showLimit(row.limit, row.unit),
    row.limit === undefined ? "" : isMet(row) ? "ok" : "FAIL",
    ...(run === undefined ? [] : [run]),
  ]);
  const head = ["Measured", "Huddle", "Anchor, same run", "Ratio (all rounds)", "Limit", ""];
  if (run !== undefined) head.push("Run");
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

const markers = {
  hub: ["<!-- bench:start -->", "<!-- bench:end -->"],
  clis: ["<!-- bench-clis:start -->", "<!-- bench-clis:end -->"],
} as const;

/**
 * Puts the tables between the page's markers; false when it has none. Of the CLIs, which are measured a few at a time, a row of an
 * earlier run stays until it is measured again, so each says when that was.
 */
export function writePage(
  rows: readonly Row[],
  { machine, run }: { machine: string; run: string },
  file: string,
): boolean {
  const page = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [hub, clis] = [
    rows.filter(({ isCli }) => isCli !== true),
    rows.filter(({ isCli }) => isCli === true),
  ];
  const places = { hub: placeOf(page, markers.hub), clis: placeOf(page, markers.clis) };
  if (places.hub === undefined || places.clis === undefined) return false;
  const before = linesOf(page.slice(places.clis.from, places.clis.to));
  const written: [{ from: number; to: number }, string][] = [];
  if (hub.length > 0) written.push([places.hub, `${renderTable(hub)}\n\n${machine}`]);
  if (clis.length > 0) written.push([places.clis, mergeTables(before, linesOf(renderTable(clis, run)))]);
  const text = written
    .toSorted(([a], [b]) => b.from - a.from)
    .reduce((all, [{ from, to }, table]) => `${all.slice(0, from)}\n\n${table}\n\n${all.slice(to)}`, page);
  writeFileSync(file, text);
  return true;
}

function placeOf(
  page: string,
  [start, end]: readonly [string, string],
): { from: number; to: number } | undefined {
  const [from, to] = [page.indexOf(start) + start.length, page.indexOf(end)];
  return page.includes(start) && to >= from ? { from, to } : undefined;
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("|"));

function mergeTables(before: readonly string[], now: readonly string[]): string {
  const whatOf = (line: string) => line.split(" | ")[0] ?? "";
  const [head = "", rule = "", ...measured] = now;
  const left = before.slice(2).filter((line) => !measured.some((row) => whatOf(row) === whatOf(line)));
  return [head, rule, ...[...left, ...measured].toSorted()].join("\n");
}
