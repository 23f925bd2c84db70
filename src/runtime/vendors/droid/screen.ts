import {
  dialogFooter,
  isBlankOrDim,
  lastRowMatching,
  type ScreenRule,
  textAt,
  textOf,
  textsBetween,
} from "../../tmux/screen-rule.js";
import { readChoice, readDialog } from "./dialog.js";

export const screenRule: ScreenRule = {
  cli: "droid",
  title: /^⛬ /u,
  // Its cursor says nothing: the last box that begins in column 0, where agents' text never is.
  findBox(screen) {
    const bottom = lastRowMatching(screen, /^╰─{10,}╯\s*$/u);
    const top = lastRowMatching(screen, /^╭─{10,}╮\s*$/u);
    if (bottom < 0 || top < 0 || bottom - top < 2) return undefined;
    // In a narrow pane its placeholder begins right behind the prompt.
    const prompt = /^│ (?:(>)| !(?:\s|$))/u.exec(textAt(screen, top + 1));
    if (prompt === null) return undefined;
    if (textsBetween(screen, bottom + 1, screen.rows.length).some((text) => dialogFooter.test(text)))
      return undefined;
    const content = screen.rows.slice(top + 1, bottom).map(({ cells }) => {
      const end = cells.findLastIndex(({ char }) => char === "│");
      return cells.slice(3, end < 3 ? undefined : end);
    });
    return { top, bottom, content, special: prompt[1] === undefined };
  },
  isEmpty: (_, box) => isBlankOrDim(box.content),
  isBusy(screen, box) {
    const placeholder = textOf(box.content[0] ?? []);
    if (isBlankOrDim(box.content) && placeholder.trim().startsWith("Enter to steer")) return true;
    return textsBetween(screen, box.top - 8, box.top).some((text) =>
      /^ [\u2800-\u28ff] .*\(Press ESC to stop\)/u.test(text),
    );
  },
  readDialog,
  readChoice,
  marks: {
    output: /^⛬ {2}/u,
    failed: /^● {2}(?:BYOK )?Error/u,
    cancelled: /^● {2}Request cancelled by user/u,
    chrome: /^ [\u2800-\u28ff] .*\(Press ESC|^ (?:Auto|Spec|Bash mode)\b/u,
  },
  sent: { before: /^ {3}/u, each: true, shaded: true },
  settleMs: 60,
  boxMs: 3000,
  confirmMs: 0,
  escapes: 1,
  startsWithTools: true,
  clearKey: "C-c",
};
