import { pairKey } from "./pair.js";
import { ROW_HEIGHT } from "./pair-table.js";
import type { Selection } from "./selection.js";
import type { Pair } from "./use-network.js";

/** Brings the row of what was chosen by a key into view, and gives it the focus: it may not be drawn yet. */
export function showRow(selection: Selection, pairs: readonly Pair[], scroller: HTMLElement | null): void {
  const at = selection.kind === "pair" ? pairs.findIndex((pair) => pairKey(pair) === selection.key) : -1;
  if (scroller !== null && at >= 0 && scroller.querySelector("table") !== null) {
    const top = at * ROW_HEIGHT;
    const low = top + 2 * ROW_HEIGHT - scroller.clientHeight;
    if (scroller.scrollTop > top) scroller.scrollTop = top;
    else if (scroller.scrollTop < low) scroller.scrollTop = low;
  }
  const name =
    selection.kind === "pair"
      ? `[data-pair="${CSS.escape(selection.key)}"]`
      : `[data-conversation="${CSS.escape(selection.id)}"]`;
  window.requestAnimationFrame(() => {
    const row = document.querySelector(name);
    row?.querySelector("button")?.focus({ preventScroll: selection.kind === "pair" && at >= 0 });
    if (selection.kind === "conversation") row?.scrollIntoView({ block: "nearest" });
  });
}
