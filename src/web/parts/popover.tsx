import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import "./popover.css";

export type Placement = "below-start" | "below-end" | "above-start" | "above-end";

/**
 * A sheet beside what it belongs to, in the browser's top layer: outside clicks and Escape close it. It is there while it
 * is rendered.
 */
export function Popover({
  anchor,
  placement = "below-start",
  onClose,
  children,
  className = "",
  keepFocus = false,
}: {
  anchor: RefObject<HTMLElement | null>;
  placement?: Placement;
  onClose: () => void;
  children: ReactNode;
  className?: string;
  /** Focus stays where it is, and keys with it: for suggestions while somebody writes. */
  keepFocus?: boolean;
}) {
  const sheet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = sheet.current;
    const before = anchor.current;
    element?.showPopover();
    if (!keepFocus)
      element?.querySelector<HTMLElement>("button, input, [tabindex]:not([role=menu])")?.focus();
    return () => {
      if (!keepFocus && element?.contains(document.activeElement) === true) before?.focus();
    };
  }, [anchor, keepFocus]);
  // Only what is shown has a size; and what is in it may change with every render.
  useLayoutEffect(() => {
    const place = () => {
      if (sheet.current !== null && anchor.current !== null)
        placeBeside(sheet.current, anchor.current, placement);
    };
    place();
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, true);
    return () => {
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place, true);
    };
  });
  return (
    <div
      ref={sheet}
      popover={keepFocus ? "manual" : "auto"}
      className={`popover ${className}`}
      onToggle={(event) => {
        if (event.newState === "closed") onClose();
      }}
    >
      {children}
    </div>
  );
}

const GAP = 6;
const EDGE = 8;

function placeBeside(sheet: HTMLElement, anchor: HTMLElement, placement: Placement): void {
  const at = anchor.getBoundingClientRect();
  const isAbove = placement.startsWith("above");
  const left = placement.endsWith("end") ? at.right - sheet.offsetWidth : at.left;
  const most = window.innerWidth - sheet.offsetWidth - EDGE;
  sheet.style.left = `${Math.max(EDGE, Math.min(left, most))}px`;
  sheet.style.top = isAbove ? "auto" : `${at.bottom + GAP}px`;
  sheet.style.bottom = isAbove ? `${window.innerHeight - at.top + GAP}px` : "auto";
  const room = isAbove ? at.top : window.innerHeight - at.bottom;
  sheet.style.maxHeight = `${Math.max(120, room - GAP - EDGE)}px`;
}
