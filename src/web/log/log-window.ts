import type { StepsBySeq } from "../hub/history.js";
import { advanceRows, type LogRow } from "./log-rows.js";

/*
 * What the page has of a log that may have a million rows, newest first: rows that came since it was opened (`head`), and below
 * them pages of one size, of which it knows where each begins, so that any of them can be fetched by itself. Pages far from where
 * somebody looks are let go.
 *
 * Where nobody knows how many there are (`places` is undefined), the pages are those fetched so far, one after the other.
 */
export type LogWindow = {
  head: readonly LogRow[];
  /** The `seq` of the first row of each page. */
  places: readonly number[];
  /** Rows below the head. */
  count: number;
  /** Whether `count` and `places` are all there is; else there is more behind the last page. */
  isWhole: boolean;
  pages: ReadonlyMap<number, readonly LogRow[]>;
};

export const PAGE = 100;
/** Pages that are kept. */
const MOST_PAGES = 16;

export const emptyWindow: LogWindow = { head: [], places: [], count: 0, isWhole: true, pages: new Map() };

export function totalRows({ head, count }: LogWindow): number {
  return head.length + count;
}

/** Undefined: it has not been fetched. */
export function rowAt({ head, pages }: LogWindow, index: number): LogRow | undefined {
  if (index < head.length) return head[index];
  const below = index - head.length;
  return pages.get(Math.floor(below / PAGE))?.[below % PAGE];
}

/** The index of a row, if it is among those that are kept. */
export function findRow({ head, pages }: LogWindow, seq: number): number | undefined {
  const inHead = head.findIndex((row) => row.seq === seq);
  if (inHead >= 0) return inHead;
  for (const [page, rows] of pages) {
    const at = rows.findIndex((row) => row.seq === seq);
    if (at >= 0) return head.length + page * PAGE + at;
  }
  return undefined;
}

/** The pages that rows from `first` up to `last` are on and that are not there. */
export function missingPages(window: LogWindow, first: number, last: number): number[] {
  const { head, places, pages } = window;
  const from = Math.max(0, Math.floor((first - head.length) / PAGE));
  const to = Math.min(places.length - 1, Math.floor((last - 1 - head.length) / PAGE));
  const missing: number[] = [];
  for (let page = from; page <= to; page++) if (!pages.has(page)) missing.push(page);
  return missing;
}

/** With a page that was fetched; those furthest from it are let go. */
export function putPage(window: LogWindow, page: number, rows: readonly LogRow[]): LogWindow {
  const pages = new Map(window.pages).set(page, rows);
  if (window.isWhole && pages.size > MOST_PAGES) {
    const furthest = [...pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page));
    for (const far of furthest.slice(0, pages.size - MOST_PAGES)) pages.delete(far);
  }
  return { ...window, pages };
}

/** With what was fetched behind the last page, where nobody knows how many there are. Pages are full but for the last. */
export function appendRows(window: LogWindow, added: readonly LogRow[], isWhole: boolean): LogWindow {
  const last = window.pages.get(window.places.length - 1) ?? [];
  const isShort = last.length < PAGE && window.places.length > 0;
  const rows = isShort ? [...last, ...added] : added;
  const start = isShort ? window.places.length - 1 : window.places.length;
  const places = window.places.slice(0, start);
  const pages = new Map(window.pages);
  for (let at = 0; at < rows.length; at += PAGE) {
    pages.set(places.length, rows.slice(at, at + PAGE));
    places.push(rows[at]?.seq ?? 0);
  }
  return { ...window, places, pages, count: window.count + added.length, isWhole };
}

export function advanceWindow(window: LogWindow, steps: StepsBySeq): LogWindow {
  const head = advanceRows(window.head, steps);
  let hasChanged = head !== window.head;
  const pages = new Map<number, readonly LogRow[]>();
  for (const [page, rows] of window.pages) {
    const next = advanceRows(rows, steps);
    hasChanged ||= next !== rows;
    pages.set(page, next);
  }
  return hasChanged ? { ...window, head, pages } : window;
}
