/*
 * Which rows of a long table can be seen. All rows have one height. Browsers draw nothing below some 33 million pixels, and a
 * million rows are as high as that: beyond a limit a pixel of the scroll bar stands for more than a pixel of the table.
 */

/** Pixels that every browser draws. */
const HIGHEST = 15_000_000;

export type Geometry = { rows: number; rowHeight: number; viewport: number };

/** How high the whole is for the scroll bar. */
export function scrollHeight({ rows, rowHeight }: Geometry): number {
  return Math.min(rows * rowHeight, HIGHEST);
}

/** How far into the table the upper edge is, in pixels of the table. */
export function tableOffset(geometry: Geometry, scrollTop: number): number {
  const { rows, rowHeight, viewport } = geometry;
  const way = scrollHeight(geometry) - viewport;
  if (way <= 0) return 0;
  return Math.min(Math.max(scrollTop, 0), way) * ((rows * rowHeight - viewport) / way);
}

/** The place of the scroll bar at which the upper edge is so far into the table. */
export function scrollTopFor(geometry: Geometry, offset: number): number {
  const { rows, rowHeight, viewport } = geometry;
  const most = rows * rowHeight - viewport;
  if (most <= 0) return 0;
  return (Math.min(Math.max(offset, 0), most) / most) * (scrollHeight(geometry) - viewport);
}

/** Rows from `first` up to but without `last`, with a few more on each side; `top` is where the first of them stands. */
export function rowsInView(
  geometry: Geometry,
  scrollTop: number,
  more = 8,
): { first: number; last: number; top: number } {
  const { rows, rowHeight, viewport } = geometry;
  const offset = tableOffset(geometry, scrollTop);
  const first = Math.max(0, Math.floor(offset / rowHeight) - more);
  const last = Math.min(rows, Math.ceil((offset + viewport) / rowHeight) + more);
  return { first, last, top: scrollTop - offset + first * rowHeight };
}

/** Where to scroll so that a row can be seen; undefined if it can be already. */
export function scrollToShow(geometry: Geometry, scrollTop: number, row: number): number | undefined {
  const { rowHeight, viewport } = geometry;
  const offset = tableOffset(geometry, scrollTop);
  const top = row * rowHeight;
  if (top < offset) return scrollTopFor(geometry, top);
  const bottom = top + rowHeight;
  return bottom > offset + viewport ? scrollTopFor(geometry, bottom - viewport) : undefined;
}
