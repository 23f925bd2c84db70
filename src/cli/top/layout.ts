import type { TopState } from "./top-state.js";

/** How many rows each part has, its title included; 0: it is left out. `split`: the details stand at the right, this wide. */
export type Layout = {
  agents: number;
  needs: number;
  details: number;
  split?: { left: number; right: number };
};

export type Size = { columns: number; rows: number };

/** Below this there is no room for a row of everything. */
const LEAST: Size = { columns: 24, rows: 6 };
const WIDE = 130;
/** What stands between the halves: a rule with a space on each side. */
export const BETWEEN = 3;
/** The line of figures above, the line of keys below. */
const FRAME_ROWS = 2;

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

/** `details`: how many rows what is chosen would fill. */
export function layOut(
  { place, view }: Pick<TopState, "place" | "view">,
  counts: { agents: number; needs: number; details: number },
  { columns, rows }: Size,
): Layout {
  const body = rows - FRAME_ROWS;
  if (view === "details") return { agents: 0, needs: 0, details: body };
  if (columns >= WIDE) {
    const needs = counts.needs === 0 ? 0 : 1 + Math.min(counts.needs, Math.max(3, Math.floor(body / 3)));
    const left = Math.min(110, Math.floor(columns * 0.55));
    return { agents: body - needs, needs, details: body, split: { left, right: columns - left - BETWEEN } };
  }
  const needs = counts.needs === 0 ? 0 : 1 + Math.min(counts.needs, Math.max(1, Math.floor(body / 5)));
  const wanted =
    place === "needs" ? Math.min(counts.details, Math.floor(body / 2)) : Math.max(4, Math.floor(body / 4));
  const spare = body < 9 ? 0 : wanted;
  const agents = Math.max(1, Math.min(1 + Math.max(1, counts.agents), body - needs - spare));
  const left = body - needs - agents;
  // A title with nothing below it says nothing.
  return left < 2 ? { agents: agents + left, needs, details: 0 } : { agents, needs, details: left };
}

/** Which rows of a list are shown: whole pages, so that no row moves while the choice moves among them. */
export function pageOf(count: number, chosen: number, rows: number): { start: number; end: number } {
  const start = rows <= 0 ? 0 : Math.floor(Math.max(0, chosen) / rows) * rows;
  return { start, end: Math.min(count, start + Math.max(0, rows)) };
}
