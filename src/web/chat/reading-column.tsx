import { ArrowDown } from "lucide-react";
import {
  type ReactElement,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { ChatRow } from "./chat-rows.js";
import { countNew, hasShifted, isAtEnd } from "./end-follower.js";
import "./reading-column.css";

type Props = {
  rows: readonly ChatRow[];
  renderRow: (row: ChatRow) => ReactElement;
  /** Load what is further in that direction; undefined where nothing is, or while it is loaded. */
  onOlder: (() => void) | undefined;
  onNewer: (() => void) | undefined;
  /** Something is open that the reader looks at. */
  isHeld: boolean;
  /** The row that is to be seen: it is scrolled to once, each time that this is another object. */
  goal: { key: string; focus: boolean } | undefined;
  label: string;
  scroller: RefObject<HTMLDivElement | null>;
};

const EDGE_PX = 600;

/** A virtual list that opens at its end, and stays there as long as the reader does. */
export function ReadingColumn({ rows, renderRow, onOlder, onNewer, isHeld, goal, label, scroller }: Props) {
  const list = useRef<VirtualizerHandle>(null);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const shown = useRef<readonly string[]>([]);
  const isShifted = hasShifted(shown.current, keys);
  const atEnd = useRef(goal === undefined);
  const [lastRead, setLastRead] = useState<string>();
  const fresh = countNew(keys, lastRead);

  const goToEnd = useCallback(() => {
    atEnd.current = true;
    setLastRead(undefined);
    list.current?.scrollToIndex(shown.current.length - 1, { align: "end" });
  }, []);

  const stay = useCallback(() => {
    if (atEnd.current && !isHeld && !isSelecting(scroller.current)) goToEnd();
  }, [goToEnd, isHeld, scroller]);

  useLayoutEffect(() => {
    shown.current = keys;
    stay();
    if (!atEnd.current) setLastRead((last) => last ?? keys.at(-1));
  }, [keys, stay]);

  const place = useCallback(() => {
    const handle = list.current;
    if (handle === null) return;
    const where = { offset: handle.scrollOffset, size: handle.scrollSize, viewport: handle.viewportSize };
    atEnd.current = isAtEnd(where) && onNewer === undefined;
    if (atEnd.current) setLastRead(undefined);
    else setLastRead((last) => last ?? shown.current.at(-1));
    if (where.offset < EDGE_PX) onOlder?.();
    if (where.size - where.offset - where.viewport < EDGE_PX) onNewer?.();
  }, [onOlder, onNewer]);

  // A short page does not scroll, and so would never ask for more.
  useEffect(() => {
    const handle = list.current;
    if (handle !== null && rows.length > 0 && handle.scrollSize <= handle.viewportSize) onOlder?.();
  }, [rows, onOlder]);

  useGoal(goal, { list, shown, atEnd, scroller });

  return (
    <>
      <div
        className="reading-column"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        role="log"
        aria-label={label}
        aria-live="off"
      >
        <div className="reading-column__space" />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          startMargin={12}
          shift={isShifted}
          onScroll={place}
          onResize={stay}
          bufferSize={400}
        >
          {rows.map((row) => (
            <div key={row.key} className="reading-column__row" data-row={row.key}>
              {row.day === undefined ? null : (
                <div className="day">
                  <span>{row.day}</span>
                </div>
              )}
              {renderRow(row)}
            </div>
          ))}
        </Virtualizer>
      </div>
      {fresh === 0 ? null : (
        <button type="button" className="new-pill" onClick={goToEnd}>
          <ArrowDown size={14} aria-hidden="true" /> {fresh} new
        </button>
      )}
    </>
  );
}

type Column = {
  list: RefObject<VirtualizerHandle | null>;
  shown: RefObject<readonly string[]>;
  atEnd: RefObject<boolean>;
  scroller: RefObject<HTMLDivElement | null>;
};

/** Scrolls to a row, and gives it the focus once it is there. */
function useGoal(goal: Props["goal"], { list, shown, atEnd, scroller }: Column): void {
  useEffect(() => {
    if (goal === undefined) return;
    const index = shown.current.indexOf(goal.key);
    if (index === -1) return;
    atEnd.current = false;
    list.current?.scrollToIndex(index, { align: goal.focus ? "nearest" : "center" });
    if (!goal.focus) return;
    const frame = requestAnimationFrame(() => {
      const row = scroller.current?.querySelector(`[data-row="${CSS.escape(goal.key)}"]`);
      const target = row?.querySelector<HTMLElement>("article");
      target?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [goal, list, shown, atEnd, scroller]);
}

function isSelecting(column: HTMLElement | null): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && column?.contains(selection.anchorNode) === true;
}
