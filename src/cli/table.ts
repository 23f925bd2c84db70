import stringWidth from "string-width";
import { segmentsOf } from "./segments-of.js";
import { indentText } from "./wrap-text.js";

/** A cell: its text decides the width, its paint only how it looks. */
export type Cell = string | { text: string; paint: (text: string) => string };

const GAP = "  ";

/**
 * Aligned columns, the last one ragged. The texts must be escaped already. On a terminal of `width` columns no line is
 * longer than that: the longest texts are cut first. Undefined: a program reads it, and nothing is cut.
 */
export function renderTable(
  header: readonly Cell[] | undefined,
  rows: readonly (readonly Cell[])[],
  width: number | undefined,
): string {
  const all = header === undefined ? rows : [header, ...rows];
  const natural: number[] = [];
  for (const row of all) {
    row.forEach((cell, column) => {
      natural[column] = Math.max(natural[column] ?? 0, stringWidth(textOf(cell)));
    });
  }
  const widths = width === undefined ? natural : fitWidths(natural, width);
  return all.map((row) => renderRow(row, widths)).join("\n");
}

/**
 * A table whose last column must be read whole: where it has no room, it stands below its row instead of being cut.
 */
export function renderNotedTable(
  header: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  width: number | undefined,
): string {
  if (fitsWidth([header, ...rows], width)) return renderTable(header, rows, undefined);
  const short = (row: readonly Cell[]) => row.slice(0, -1);
  const [first = "", ...lines] = renderTable(short(header), rows.map(short), width).split("\n");
  const noted = lines.flatMap((line, row) => {
    const note = rows[row]?.at(-1) ?? "";
    if (textOf(note) === "") return [line];
    const below = indentText(textOf(note), width, "    ");
    return [line, ...below.split("\n").map((one) => paint(note, one))];
  });
  return [first, ...noted].join("\n");
}

/** Whether the rows stand in the width as they are. */
function fitsWidth(rows: readonly (readonly Cell[])[], width: number | undefined): boolean {
  if (width === undefined) return true;
  return renderTable(undefined, rows, undefined)
    .split("\n")
    .every((line) => stringWidth(line) <= width);
}

/** No column is wider than the others need it to be: what is below the common limit keeps its width. */
function fitWidths(natural: readonly number[], width: number): number[] {
  const room = Math.max(natural.length, width - GAP.length * (natural.length - 1));
  let limit = Math.max(0, ...natural);
  const used = () => natural.reduce((sum, one) => sum + Math.min(one, limit), 0);
  while (limit > 1 && used() > room) limit--;
  let spare = room - used();
  return natural.map((one) => {
    const more = Math.max(0, Math.min(spare, one - limit));
    spare -= more;
    return Math.min(one, limit + more);
  });
}

function renderRow(row: readonly Cell[], widths: readonly number[]): string {
  return row
    .map((cell, column) => {
      const text = shorten(textOf(cell), widths[column] ?? 0);
      const last = column === row.length - 1;
      const padding = last ? 0 : (widths[column] ?? 0) - stringWidth(text);
      return paint(cell, text) + " ".repeat(Math.max(0, padding));
    })
    .join(GAP)
    .trimEnd();
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function paint(cell: Cell, text: string): string {
  return typeof cell === "string" ? text : cell.paint(text);
}

/** The text in at most `width` columns of a terminal, ending in an ellipsis if it was cut. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segmentsOf(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
