import { isBlank } from "../../tmux/screen.js";
import { type ScreenRule, textAt } from "../../tmux/screen-rule.js";
import { readDialog } from "./dialog.js";

const status = /^• .*\((?:\d+h )?(?:\d+m )?\d+s • esc to interrupt\)/u;
const queue = /^(?:• (?:Messages to be submitted|Queued)| +↳ )/u;

export const screenRule: ScreenRule = {
  cli: "codex",
  // Dialogs hide the cursor; the composer shows it in its text.
  findBox(screen) {
    if (!screen.cursor.visible) return undefined;
    let top = screen.cursor.row;
    while (top > 0 && /^(?: {2}|\s*$)/u.test(textAt(screen, top))) top--;
    const prompt = screen.rows[top]?.cells[0];
    // Sent prompts in the transcript have the same glyph, dim; the chosen row of a menu has it inverse.
    if (prompt === undefined || !["›", "!"].includes(prompt.char) || prompt.dim || prompt.inverse)
      return undefined;
    let bottom = screen.cursor.row;
    while (bottom + 1 < screen.rows.length && /^ {2}\S/u.test(textAt(screen, bottom + 1))) bottom++;
    const content = screen.rows
      .slice(top, bottom + 1)
      .map(({ cells }, at) => (at === 0 ? cells.slice(1) : cells));
    return { top, bottom, content, special: prompt.char === "!" };
  },
  // An empty composer always shows its placeholder, so a blank one holds typed blanks.
  isEmpty(screen, box) {
    const visible = box.content.flat().filter(({ char }) => !isBlank(char));
    return visible.length > 0 && visible.every(({ dim }) => dim) && screen.cursor.column === 2;
  },
  isBusy(screen, box) {
    if (/^[\u2800-\u28ff]/u.test(screen.title)) return true;
    // The status row is the last thing above the composer, or only what waits to be sent is below it.
    for (let row = box.top - 1; row >= 0; row--) {
      const text = textAt(screen, row);
      if (status.test(text)) return true;
      if (!isBlank(text) && !queue.test(text)) return false;
    }
    return false;
  },
  readDialog,
  marks: {
    output: /^• (?!Working \()/u,
    failed: /^■ (?!Conversation interrupted)/u,
    cancelled: /^■ Conversation interrupted/u,
    chrome: /^ {2}Worked for |^• .*esc to interrupt\)|^ {2}└ Tip: /u,
  },
  // It may stand there without a sign of work beside it, until the question whether it may run is drawn.
  running: /^• Running /u,
  sent: { before: /^› /u },
  settleMs: 0,
  boxMs: 3000,
  confirmMs: 0,
  escapes: 1,
  startsWithTools: true,
  clearKey: "C-c",
};
