import type { Row } from "../../tmux/screen.js";
import { isBlank } from "../../tmux/screen.js";
import { lastRowMatching, type ScreenRule, textAt, textOf, textsBetween } from "../../tmux/screen-rule.js";
import { readChoice, readDialog } from "./dialog.js";

export const screenRule: ScreenRule = {
  cli: "opencode",
  title: /^(?:OC \| |OpenCode$)/u,
  /* Rows that begin with `┃`, closed by `╹▀▀▀`; the last of them names agent and model. Dialogs take the cursor away. */
  findBox(screen) {
    const bottom = lastRowMatching(screen, /^\s*╹▀{20,}/u);
    if (bottom < 0 || !screen.cursor.visible) return undefined;
    const left = textAt(screen, bottom).indexOf("╹");
    // A side bar may stand to the right of the box.
    const right = left + 1 + (/▀+/u.exec(textAt(screen, bottom))?.[0].length ?? 0);
    let top = bottom;
    while (top > 0 && isEdge(screen.rows[top - 1], left)) top--;
    const { row, column } = screen.cursor;
    if (bottom - top < 3 || row < top || row >= bottom - 1 || column <= left || column > right)
      return undefined;
    const content = screen.rows.slice(top, bottom - 1).map(({ cells }) => cells.slice(left + 1, right));
    const named = screen.rows[bottom - 1]?.cells.slice(left + 1, right) ?? [];
    return { top, bottom, content, special: textOf(named).trim() === "Shell", right };
  },
  isEmpty(screen, box) {
    const visible = box.content.flat().filter(({ char }) => !isBlank(char));
    const left = textAt(screen, box.bottom).indexOf("╹");
    if (box.content.length > 3 || screen.cursor.column !== left + 3) return false;
    if (visible.length === 0) return true;
    // The placeholder has the grey of the dot between agent and model; a theme may make that any colour.
    const dot = screen.rows[box.bottom - 1]?.cells.find(({ char }) => char === "·");
    const text = box.content.map(textOf).join("").trim();
    return dot !== undefined && text.startsWith("Ask anything") && visible.every(({ fg }) => fg === dot.fg);
  },
  isBusy: (screen, box) =>
    textsBetween(screen, box.bottom + 1, screen.rows.length).some((text) =>
      /\besc (?:again to )?interrupt/u.test(text),
    ),
  readDialog,
  readChoice,
  marks: {
    output: /^ {5}(?!▣ )\S/u,
    failed: /^ {2}┃ {2}.*Error/u,
    cancelled: /^ {5}▣ .*· interrupted/u,
    chrome: /^ {5}▣ |^\s*┃/u,
  },
  sent: { before: /^ {2}┃(?: {2}|$)/u, each: true },
  settleMs: 150,
  boxMs: 3000,
  // Two of a hundred deliveries began later than 5 s under load.
  confirmMs: 10_000,
  escapes: 2,
  startsWithTools: true,
  clearKey: "C-c",
};

function isEdge(row: Row | undefined, left: number): boolean {
  return row?.cells[left]?.char === "┃" && isBlank(row.text.slice(0, left));
}
