import { dialogFooter, isBlankOrDim, type ScreenRule, textAt, textsBetween } from "../../tmux/screen-rule.js";
import { readDialog } from "./dialog.js";

const frame = /^─{20,}/u;
const spinner = /^[·✢✳✶✻✽*] (?:.*… ?\((?:\d+[hms]|esc)|\S+…\s*$|.*Retrying in \d+)/u;
const transcript = /^[●❯]/u;
/** Below the box, after a usage limit. That Escape cancels it makes it no dialog. */
const continues = /\bcontinuing automatically at\b/iu;

const isFooter = (text: string) => dialogFooter.test(text) && !continues.test(text);

export const screenRule: ScreenRule = {
  cli: "claude",
  title: /^(?:✳|[\u2800-\u28ff]) Claude Code/u,
  findBox(screen) {
    const rules = screen.rows.flatMap(({ text }, row) => (frame.test(text) ? [row] : []));
    const [top, bottom] = rules.slice(-2);
    if (top === undefined || bottom === undefined || bottom - top < 2) return undefined;
    // The first row only: a question to the person has `❯ 1. …` further down between two such rules.
    const prompt = /^([❯!#&])(?:\s|$)/u.exec(textAt(screen, top + 1))?.[1];
    if (prompt === undefined) return undefined;
    // One space before the hints is not its own: another CLI's box looks the same.
    if (/^ \S/u.test(textAt(screen, bottom + 1))) return undefined;
    if (textsBetween(screen, bottom + 1, screen.rows.length).some(isFooter)) return undefined;
    const content = screen.rows
      .slice(top + 1, bottom)
      .map(({ cells }, at) => (at === 0 ? cells.slice(1) : cells));
    return { top, bottom, content, special: prompt !== "❯" };
  },
  isEmpty: (_, box) => isBlankOrDim(box.content),
  isBusy(screen, box) {
    const below = textsBetween(screen, box.bottom + 1, screen.rows.length);
    if (below.some((text) => text.includes("esc to interrupt"))) return true;
    // Gone once a draft exists: then only the spinner tells. Agents' text never begins in column 0.
    for (let row = box.top - 1; row >= 0; row--) {
      if (spinner.test(textAt(screen, row))) return true;
      if (transcript.test(textAt(screen, row))) return false;
    }
    return false;
  },
  readDialog,
  marks: {
    output: /^● /u,
    failed: /^● API Error|^ {2}⎿\s+(?:API Error|You['’]ve hit your )/u,
    cancelled: /^ {2}⎿ {2}Interrupted/u,
    chrome: /^[·✢✳✶✻✽*] |^ {2}⎿ {2}Tip|^ {20,}|^ {2}tmux (?:detected|focus)/u,
  },
  goesOnByItself: (screen, box) =>
    textsBetween(screen, box.bottom + 1, screen.rows.length).some((text) => continues.test(text)),
  sent: { before: /^❯ /u },
  settleMs: 0,
  boxMs: 3000,
  confirmMs: 0,
  escapes: 1,
  startsWithTools: false,
  clearKey: "C-u",
};
