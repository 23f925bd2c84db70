import { actOf, type Choice, type Dialog, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching, textAt, textOf } from "../../tmux/screen-rule.js";

const labels = ["Allow once", "Allow always", "Reject"] as const;
const footer = "enter confirm";
const optionsRow = /^\s*┃\s+Allow once\s+Allow always\s+Reject\s.*enter confirm/u;

/** `Allow always` asks once more: who wants that answers it in the pane. */
export function readDialog(screen: Screen): Dialog | undefined {
  const row = lastRowMatching(screen, optionsRow);
  const shown = withoutSideBar(screen, row);
  const top = lastRowMatching(shown, /^\s*┃\s+△ Permission required\s*$/u, row);
  if (row < 0 || top < 0 || screen.cursor.visible) return undefined;
  const [, heading = "", ...said] = plainRows(shown, top, row);
  const tool = heading.replace(/^\S /u, "");
  return {
    tool,
    title: `${tool}: ${said.join(" ")}`,
    act: actOf(tool),
    words: [tool, ...said, ...labels].join("\n"),
    options: [
      { label: labels[0], grants: "once", at: 0 },
      { label: labels[2], grants: "deny", at: 2 },
    ],
  };
}

/** What stands beside it changes while it is asked, and is none of it: its own background ends where that begins. */
function withoutSideBar(screen: Screen, optionsRow: number): Screen {
  const { cells = [], text = "" } = screen.rows[optionsRow] ?? {};
  const last = text.indexOf(footer) + footer.length - 1;
  const right = cells.findIndex(({ bg }, at) => at > last && bg !== cells[last]?.bg);
  if (right < 0) return screen;
  const rows = screen.rows.map((row) => row.cells.slice(0, right));
  return { ...screen, rows: rows.map((cut) => ({ cells: cut, text: textOf(cut) })) };
}

/** The chosen one stands on a background of its own. */
export function readChoice(screen: Screen): Choice | undefined {
  const row = lastRowMatching(screen, optionsRow);
  if (row < 0) return undefined;
  const cells = screen.rows[row]?.cells ?? [];
  const text = textAt(screen, row);
  const usual = cells[text.indexOf(footer)]?.bg;
  const chosen = labels.findIndex((label) => cells[text.indexOf(label)]?.bg !== usual);
  return chosen < 0 ? undefined : { at: chosen, forward: "Right", back: "Left" };
}
