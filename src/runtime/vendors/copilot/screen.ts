import { isBlankOrDim, type ScreenRule, textAt, textsBetween } from "../../tmux/screen-rule.js";
import { readDialog } from "./dialog.js";

const frame = /^─{20,}/u;

export const screenRule: ScreenRule = {
  cli: "copilot",
  title: /(?:^| - )GitHub Copilot$/u,
  /* The last two rules with the prompt and a visible cursor between them. Dialogs, framed by `╭╮`, take the box away. */
  findBox(screen) {
    const [top, bottom] = screen.rows.flatMap(({ text }, at) => (frame.test(text) ? [at] : [])).slice(-2);
    if (top === undefined || bottom === undefined || bottom - top < 2) return undefined;
    const { row, visible } = screen.cursor;
    if (!visible || row <= top || row >= bottom) return undefined;
    // One row of hints follows, and nothing after it.
    const below = textsBetween(screen, bottom + 1, screen.rows.length);
    if (!/^ \S/u.test(below[0] ?? "") || below.slice(1).some((text) => text.trim() !== "")) return undefined;
    const isShell = /^!(?:\s|$)/u.test(textAt(screen, top + 1));
    // Of a draft that is longer than the box its first row has no prompt.
    if (!isShell && !/^[❯ ](?:\s|$)/u.test(textAt(screen, top + 1))) return undefined;
    const content = screen.rows.slice(top + 1, bottom).map(({ cells }) => cells.slice(1));
    // A scroll bar takes the last column.
    return { top, bottom, content, special: isShell, right: screen.width - 1 };
  },
  isEmpty: ({ cursor }, box) => box.content.length === 1 && cursor.column === 2 && isBlankOrDim(box.content),
  isBusy: (screen, box) =>
    /^ \S Working\b|\besc esc (?:interrupt|edit prompt)\b/u.test(textAt(screen, box.bottom + 1)),
  readDialog,
  marks: {
    output: /^ ● (?!Operation cancelled by user|Request failed due to)/u,
    failed: /^ ✗ (?:\d{3}\b|Failed to get response)/u,
    cancelled: /^ ● Operation cancelled by user/u,
    chrome: /^ ● Request failed due to .*Retrying|^ {1}[~/]\S*(?: \[.*)?$/u,
  },
  sent: { before: /^ ❯ /u, beside: / +\d\d:\d\d$/u },
  settleMs: 60,
  boxMs: 3000,
  confirmMs: 0,
  escapes: 2,
  startsWithTools: true,
  clearKey: "C-c",
};
