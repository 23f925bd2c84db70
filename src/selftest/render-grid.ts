/** Rows of signs below the names of behaviours. */
export type GridRow = { label: string; signs: readonly string[] };

const GAP = 2;

export function renderHead(names: readonly string[], width: number): string {
  return (" ".repeat(width) + names.map((name) => name.padEnd(name.length + GAP)).join("")).trimEnd();
}

/** Each sign is one column wide; `paint` only changes how it looks. */
export function renderRow(
  { label, signs }: GridRow,
  names: readonly string[],
  width: number,
  paint: (sign: string) => string = (sign) => sign,
): string {
  const cells = names.map((name, column) => {
    const sign = signs[column] ?? " ";
    const isLast = column === names.length - 1;
    return paint(sign) + (isLast ? "" : " ".repeat(name.length + GAP - 1));
  });
  return label.padEnd(width) + cells.join("");
}

export function labelWidth(labels: Iterable<string>): number {
  return Math.max(0, ...[...labels].map((label) => label.length)) + GAP;
}
