import { isBlank } from "../../tmux/screen.js";
import {
  dialogFooter,
  lastRowMatching,
  type ScreenRule,
  textAt,
  textOf,
  textsBetween,
} from "../../tmux/screen-rule.js";
import { readDialog } from "./dialog.js";

export const screenRule: ScreenRule = {
  cli: "gemini",
  title: /^[◇✦✋] {2}/u,
  /*
   * The last rule, a hint, a blank row, the prompt. The cursor is parked in the text; without the terminal's focus, and in
   * dialogs, at the beginning of a row. Dialogs stand in the place of the box.
   */
  findBox(screen) {
    const rule = lastRowMatching(screen, /^─{20,}\s*$/u);
    if (rule < 0 || screen.title.startsWith("✋")) return undefined;
    const below = textsBetween(screen, rule + 1, screen.rows.length);
    const at = below.slice(0, 5).findIndex((text) => /^ [>!*] /u.test(`${text} `));
    if (at < 0 || below.some((text) => /^ ?[╭│╰]/u.test(text) || dialogFooter.test(text))) return undefined;
    const top = rule + 1 + at;
    let bottom = top;
    while (/^ {3}/u.test(textAt(screen, bottom + 1))) bottom++;
    const { row, column } = screen.cursor;
    if (column !== 0 && (row < top || column < 3)) return undefined;
    if (column !== 0 && textsBetween(screen, bottom + 1, row + 1).some((text) => !isBlank(text)))
      return undefined;
    const content = screen.rows
      .slice(top, bottom + 1)
      .map(({ cells }, index) => (index === 0 ? cells.slice(2) : cells));
    return { top: rule, bottom, content, special: textAt(screen, top)[1] === "!" };
  },
  isEmpty: ({ cursor }, box) => {
    const [first = []] = box.content;
    const atStart = cursor.column === 3 || cursor.column === 0;
    return box.content.length === 1 && atStart && /^ {2,3}Type your message/u.test(textOf(first));
  },
  isBusy(screen, box) {
    if (screen.title.startsWith("✦")) return true;
    // The spinner's row is right above the rule, one column left of where agents' text begins.
    let row = box.top - 1;
    while (row >= 0 && !isBlank(textAt(screen, row))) row--;
    const [spinner = "", ...rest] = textsBetween(screen, row + 1, box.top);
    return /^ [\u2800-\u28ff] /u.test(spinner) && [spinner, ...rest].join(" ").includes("(esc to cancel");
  },
  readDialog,
  marks: {
    output: /^✦ /u,
    failed: /^✕ /u,
    cancelled: /^ℹ Request cancelled/u,
    chrome: /^ [\u2800-\u28ff] .*\(esc to cancel|\? for shortcuts$|^ {20,}|^ Press Ctrl\+O/u,
  },
  sent: { before: /^ > /u },
  // For 40 ms after a paste, and 30 ms after a key, it takes Enter for a new line.
  settleMs: 100,
  boxMs: 3000,
  confirmMs: 0,
  escapes: 1,
  forgetsCancelled: true,
  // It keeps a line that comes while it starts, and may ask its model before it has what its servers say of themselves.
  startsWithTools: false,
  // As it starts, it takes its box away once more to load the session, and begins its transcript anew.
  showsHistoryLate: true,
  clearKey: "C-c",
  refusesIgnored: true,
};
