import { type RefObject, useEffect, useState } from "react";

/** Fewer rows than these are all there: a search of the browser finds them. */
const FEW = 60;
const AROUND = 8;

export type RowWindow = { first: number; end: number };

/** Which of many rows of one height are to be drawn: those that can be seen, and some around them. */
export function useRowWindow(
  count: number,
  height: number,
  scroller: RefObject<HTMLElement | null>,
): RowWindow {
  const [seen, setSeen] = useState<RowWindow>({ first: 0, end: FEW });
  const isLong = count > FEW;
  useEffect(() => {
    const element = scroller.current;
    if (!isLong || element === null) return;
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / height) - AROUND);
      const end = Math.ceil((element.scrollTop + element.clientHeight) / height) + AROUND;
      setSeen((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [isLong, height, scroller]);
  return isLong
    ? { first: Math.min(seen.first, count), end: Math.min(seen.end, count) }
    : { first: 0, end: count };
}
