import stringWidth from "string-width";

/** A cell: its text decides the width, its paint only how it looks. */
export type Cell = string | { text: string; paint: (text: string) => string };

const GAP = "  ";

/** Aligned columns, the last one ragged. The texts must be escaped already. */
export function renderTable(header: readonly Cell[] | undefined, rows: readonly (readonly Cell[])[]): string {
  const all = header === undefined ? rows : [header, ...rows];
  const widths: number[] = [];
  for (const row of all) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, stringWidth(textOf(cell)));
    });
  }
  return all.map((row) => renderRow(row, widths)).join("\n");
}

function renderRow(row: readonly Cell[], widths: readonly number[]): string {
  return row
    .map((cell, column) => {
      const last = column === row.length - 1;
      const padding = last ? 0 : (widths[column] ?? 0) - stringWidth(textOf(cell));
      return paintOf(cell) + " ".repeat(Math.max(0, padding));
    })
    .join(GAP)
    .trimEnd();
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function paintOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.paint(cell.text);
}

const segments = new Intl.Segmenter();

/** The text in at most `width` columns of a terminal, ending in an ellipsis if it was cut. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segments.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
