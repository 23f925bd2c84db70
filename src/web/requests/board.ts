import type { ShownRequest } from "./use-requests.js";

type ColumnKind = "open" | "claimed" | "answered" | "expired";

export type Column = {
  kind: ColumnKind;
  title: string;
  note: string;
  /** Undefined until it is loaded. */
  requests: readonly ShownRequest[] | undefined;
};

/** Where one goes from a request by a key: within its column, or to the same height of another that is not empty. */
export function moveOn(
  columns: readonly Column[],
  now: string | undefined,
  by: { rows: number } | { columns: number },
): string | undefined {
  const filled = columns.map(({ requests = [] }) => requests.map(({ request_id }) => request_id));
  const column = filled.findIndex((ids) => now !== undefined && ids.includes(now));
  if (column < 0) return filled.find((ids) => ids.length > 0)?.[0];
  const row = filled[column]?.indexOf(now ?? "") ?? 0;
  if ("rows" in by) return at(filled[column] ?? [], row + by.rows);
  const side = by.columns > 0 ? filled.slice(column + 1) : filled.slice(0, column).toReversed();
  const next = side.find((ids) => ids.length > 0);
  return next === undefined ? now : at(next, row);
}

function at(ids: readonly string[], index: number): string | undefined {
  return ids[Math.max(0, Math.min(ids.length - 1, index))];
}
