import {
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useStore } from "zustand";
import "./log-table.css";
import { LogRowView } from "./log-row.js";
import type { LogSource } from "./log-source.js";
import { rowAt, totalRows } from "./log-window.js";
import { type Geometry, rowsInView, scrollHeight, scrollToShow } from "./row-geometry.js";

export type LogTableHandle = {
  show(index: number): void;
  /** Rows that fit into the window. */
  pageSize(): number;
};

type Props = {
  source: LogSource;
  isPhone: boolean;
  selected: number | undefined;
  onSelect: (index: number) => void;
  /** Whether the newest row is in view. */
  onTop: (isAtTop: boolean) => void;
  handle: RefObject<LogTableHandle | null>;
};

/** So long somebody may race past rows before they are fetched. */
const SETTLED_MS = 60;
const HEAD_HEIGHT = 32;
const HEADS = ["Time", "From, to", "Type", "Message", "State"] as const;

/** A table of which only the rows in view exist. Its scroll bar tells how many there are. */
export function LogTable({ source, isPhone, selected, onSelect, onTop, handle }: Props) {
  const log = useStore(source.state, (state) => state.window);
  const scroller = useRef<HTMLElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [viewport, setViewport] = useState(600);
  const rows = totalRows(log);
  const geometry: Geometry = { rows, rowHeight: isPhone ? 60 : 34, viewport };
  const { first, last, top } = rowsInView(geometry, scrollTop);
  const newest = useRef(geometry);
  newest.current = geometry;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => setViewport(element.clientHeight - (isPhone ? 0 : HEAD_HEIGHT));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isPhone]);

  // Another query begins at its newest row.
  useLayoutEffect(() => {
    if (source.query !== undefined) scroller.current?.scrollTo(0, 0);
    setScrollTop(0);
  }, [source]);

  useEffect(() => {
    const timer = window.setTimeout(() => source.look(first, last), SETTLED_MS);
    return () => window.clearTimeout(timer);
  }, [source, first, last, log]);

  const onScroll = useCallback(() => {
    const now = scroller.current?.scrollTop ?? 0;
    setScrollTop(now);
    onTop(now < newest.current.rowHeight / 2);
  }, [onTop]);

  useImperativeHandle(handle, () => ({
    show(index) {
      const goal = scrollToShow(newest.current, scroller.current?.scrollTop ?? 0, index);
      if (goal !== undefined) scroller.current?.scrollTo(0, goal);
    },
    pageSize: () => Math.max(1, Math.floor(newest.current.viewport / newest.current.rowHeight) - 1),
  }));

  const shown = [];
  for (let index = first; index < last; index++) {
    const row = rowAt(log, index);
    shown.push(
      <LogRowView
        key={row?.seq ?? `blank ${index}`}
        row={row}
        index={index}
        terms={source.terms}
        isSelected={index === selected}
        isPhone={isPhone}
        onSelect={onSelect}
      />,
    );
  }
  return (
    <section
      className="log-scroll"
      ref={scroller}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-label="Messages"
    >
      <table
        className="log-table"
        aria-rowcount={rows + 1}
        aria-label="Log"
        style={{ height: scrollHeight(geometry) + (isPhone ? 0 : HEAD_HEIGHT) }}
      >
        <thead className="log-table__head">
          <tr className="log-row log-row--head" aria-rowindex={1}>
            {HEADS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="log-table__body" style={{ transform: `translateY(${top}px)` }}>
          {shown}
        </tbody>
      </table>
    </section>
  );
}
