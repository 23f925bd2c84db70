import { dialogFooter, type ScreenRule, textAt, textOf, textsBetween } from "../../tmux/screen-rule.js";
import { readDialog } from "./dialog.js";

const frame = /^─{20,}/u;

export const screenRule: ScreenRule = {
  cli: "qwen",
  title: /Qwen - /u,
  // The last two rules, the prompt in the first row between them, and the cursor too unless the terminal has no focus.
  findBox(screen) {
    const [top, bottom] = screen.rows.flatMap(({ text }, at) => (frame.test(text) ? [at] : [])).slice(-2);
    if (top === undefined || bottom === undefined || bottom - top < 2) return undefined;
    const { row, visible } = screen.cursor;
    if (visible && (row <= top || row >= bottom)) return undefined;
    const prompt = /^([>!*])(?:\s|$)/u.exec(textAt(screen, top + 1))?.[1];
    if (prompt === undefined) return undefined;
    if (textsBetween(screen, bottom + 1, screen.rows.length).some((text) => dialogFooter.test(text)))
      return undefined;
    const content = screen.rows
      .slice(top + 1, bottom)
      .map(({ cells }, at) => (at === 0 ? cells.slice(1) : cells));
    return { top, bottom, content, special: prompt === "!" };
  },
  isEmpty: ({ cursor }, box) => {
    const [first = []] = box.content;
    const atStart = !cursor.visible || cursor.column === 2;
    return box.content.length === 1 && atStart && /^ {3}Type your message/u.test(textOf(first));
  },
  isBusy(screen, box) {
    if (screen.title.startsWith("◐")) return true;
    const below = textsBetween(screen, box.bottom + 1, screen.rows.length);
    if (below.some((text) => text.startsWith("  Enter to steer"))) return true;
    // Its own row, or wrapped to a row of its own; agents' text is further right.
    return textsBetween(screen, box.top - 8, box.top).some((text) =>
      /^ {2}(?:\.{1,3} .*|[\u2800-\u28ff] .*)?\(\d+[hms].*esc to cancel\)/u.test(text),
    );
  },
  readDialog,
  marks: {
    output: /^ {2}◆/u,
    failed: /^ {2}✕ (?:\[API Error|Quota exhausted)/u,
    cancelled: /^ {2}●\S* Request cancelled/u,
    chrome: /^ {2}(?:\.{1,3}|[\u2800-\u28ff]) .*|^ {2}\(\d+[hms].*esc to cancel\)|^ {2}Ctrl\+Q to queue/u,
  },
  // Its tools' rows follow without a blank one, with a sign of their state before them.
  sent: { before: /^ {2}> /u, goesOn: /^ {4}/u },
  settleMs: 0,
  boxMs: 5000,
  confirmMs: 0,
  escapes: 1,
  startsWithTools: true,
  clearKey: "C-c",
};
