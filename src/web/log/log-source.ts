import { createStore, type StoreApi } from "zustand/vanilla";
import { parseSearch } from "../../model/search-query.js";
import { hub } from "../hub/hub.js";
import { collectSteps, followChanges, type MailChange } from "../hub/mail-changes.js";
import { rowsOf } from "./log-rows.js";
import {
  advanceWindow,
  appendRows,
  emptyWindow,
  type LogWindow,
  missingPages,
  PAGE,
  putPage,
} from "./log-window.js";

/*
 * The rows of one query: first the newest page, then how many there are and where, then whatever is looked at. New ones come in at
 * the top while the log is followed; while it is not, they are counted.
 */
type LogState = {
  kind: "loading" | "ready" | "failed";
  error: unknown;
  window: LogWindow;
  /** Rows that came and are not taken in. */
  waiting: number;
};

export type LogSource = {
  state: StoreApi<LogState>;
  /** The query, without what only the field knows. */
  query: string;
  /** Words that are highlighted. */
  terms: readonly string[];
  /** What somebody looks at: what is missing of it is fetched. */
  look(first: number, last: number): void;
  /** Whether new rows are taken in at the top. */
  follow(isFollowed: boolean): void;
  /** Begins to fetch and to follow. Gives what ends it. */
  start(): () => void;
  reload(): void;
};

/** As often as events may have a page ask again. */
const TAIL_MS = 400;
/** After a page that could not be fetched. */
const RETRY_MS = 1500;
/** More rows than these at the top, and the pages are laid out anew. */
const MOST_HEAD = 400;
/** Where nobody knows how many there are, all that was fetched is kept, up to these. */
const MOST_APPENDED = 20_000;

export function openLog(query: string): LogSource {
  const state = createStore<LogState>(() => ({
    kind: "loading",
    error: undefined,
    window: emptyWindow,
    waiting: 0,
  }));
  const { terms, types } = parseSearch(query, Date.now());
  const wantsTurns = types.includes("turn");
  const asked = { q: query, receipts: "true", turns: "false" } as const;
  const fetching = new Map<number | "more", AbortController>();
  let closing = new AbortController();
  let newest = 0;
  let cursor: string | null = null;
  let isLaidOut = false;
  let isFollowed = true;
  let timer: number | undefined;
  let wantsTail = false;

  const change = (next: (window: LogWindow) => LogWindow) =>
    state.setState(({ window }) => ({ window: next(window) }));
  const fail = (error: unknown) => {
    if (!closing.signal.aborted) state.setState({ kind: "failed", error });
  };

  async function load(): Promise<void> {
    const { signal } = closing;
    const page = await hub.search({ ...asked, limit: PAGE }, { signal });
    const rows = rowsOf(page);
    newest = rows[0]?.seq ?? 0;
    cursor = page.next;
    state.setState({
      kind: "ready",
      error: undefined,
      waiting: 0,
      window: appendRows({ ...emptyWindow, isWhole: false }, rows.slice(0, PAGE), cursor === null),
    });
    isLaidOut = cursor === null;
    if (!isLaidOut) await layOut(newest, signal);
  }

  /** How many there are from the newest known on, and where each page begins. */
  async function layOut(from: number, signal: AbortSignal): Promise<void> {
    const { total, places } = await hub.searchCount(
      { q: query, turns: "false", older_than: from + 1, every: PAGE },
      { signal, timeoutMs: 60_000 },
    );
    isLaidOut = true;
    if (total === null || places === undefined) return;
    change((window) => ({ ...window, places, count: total, isWhole: true }));
  }

  async function fetchPage(page: number): Promise<void> {
    const { places } = state.getState().window;
    const place = places[page];
    if (place === undefined) return;
    const below = places[page + 1];
    const rows = await ask(page, (signal) =>
      hub.search(
        {
          ...asked,
          limit: PAGE,
          older_than: place + 1,
          ...(below === undefined ? {} : { newer_than: below }),
        },
        { signal },
      ),
    );
    if (rows !== undefined) change((window) => putPage(window, page, rowsOf(rows)));
  }

  async function fetchMore(): Promise<void> {
    if (cursor === null || state.getState().window.count >= MOST_APPENDED) return;
    const place = cursor;
    const page = await ask("more", (signal) =>
      hub.search({ ...asked, limit: PAGE, cursor: place }, { signal }),
    );
    if (page === undefined) return;
    cursor = page.next;
    const rows = rowsOf(page);
    change((window) => appendRows(window, rows, cursor === null));
    // A page may be empty and have a next one.
    if (rows.length === 0) await fetchMore();
  }

  /** Undefined if it was called off. */
  async function ask<T>(
    key: number | "more",
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const stop = new AbortController();
    fetching.set(key, stop);
    try {
      const answer = await call(AbortSignal.any([stop.signal, closing.signal]));
      return stop.signal.aborted || closing.signal.aborted ? undefined : answer;
    } catch {
      // Its rows stay blank, and are asked for again while somebody looks at them.
      if (!stop.signal.aborted && !closing.signal.aborted)
        window.setTimeout(() => change((log) => ({ ...log })), RETRY_MS);
      return undefined;
    } finally {
      if (fetching.get(key) === stop) fetching.delete(key);
    }
  }

  function takeChanges(changes: readonly MailChange[]): void {
    const steps = collectSteps(changes);
    if (steps.size > 0) change((window) => advanceWindow(window, steps));
    if (wantsTurns || changes.some(({ accepted }) => accepted !== undefined)) tailSoon();
  }

  function tailSoon(): void {
    wantsTail = true;
    timer ??= window.setTimeout(() => {
      wantsTail = false;
      void tail()
        .catch(() => {}) // The strip says that the hub is away.
        .then(() => {
          timer = undefined;
          if (wantsTail && !closing.signal.aborted) tailSoon();
        });
    }, TAIL_MS);
  }

  async function tail(): Promise<void> {
    const { signal } = closing;
    if (state.getState().kind !== "ready") return;
    if (!isFollowed) {
      const { total } = await hub.searchCount({ q: query, turns: "false", newer_than: newest }, { signal });
      if (total !== null && !signal.aborted) state.setState({ waiting: total });
      return;
    }
    const page = await hub.search({ ...asked, newer_than: newest, limit: PAGE }, { signal });
    const rows = rowsOf(page);
    if (signal.aborted || rows.length === 0) return;
    if (page.next !== null || state.getState().window.head.length > MOST_HEAD) return reload();
    newest = rows[0]?.seq ?? newest;
    state.setState({ waiting: 0 });
    change((window) => ({ ...window, head: [...rows, ...window.head] }));
  }

  function reload(): void {
    closing.abort();
    closing = new AbortController();
    fetching.clear();
    load().catch(fail);
  }

  return {
    state,
    query,
    terms,
    look(first, last) {
      const { window, kind } = state.getState();
      if (kind !== "ready") return;
      const wanted = missingPages(window, first, last);
      for (const [page, stop] of fetching) if (page !== "more" && !wanted.includes(page)) stop.abort();
      for (const page of wanted) if (!fetching.has(page)) void fetchPage(page);
      const isNearEnd = isLaidOut && !window.isWhole && last + PAGE > window.head.length + window.count;
      if (isNearEnd && !fetching.has("more")) void fetchMore();
    },
    follow(next) {
      if (isFollowed === next) return;
      isFollowed = next;
      if (next) tailSoon();
    },
    reload,
    start() {
      const stopFollowing = followChanges({ take: takeChanges, startOver: reload });
      reload();
      return () => {
        closing.abort();
        window.clearTimeout(timer);
        timer = undefined;
        stopFollowing();
      };
    },
  };
}
