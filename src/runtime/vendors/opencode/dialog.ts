import { actOf, type Choice, type Dialog, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching, textAt } from "../../tmux/screen-rule.js";

const labels = ["Allow once", "Allow always", "Reject"] as const;
const optionsRow = /^\s*┃\s+Allow once\s+Allow always\s+Reject\s.*enter confirm/u;

/** `Allow always` asks once more: who wants that answers it in the pane. */
export function readDialog(screen: Screen): Dialog | undefined {
  const row = lastRowMatching(screen, optionsRow);
  const top = lastRowMatching(screen, /^\s*┃\s+△ Permission required\s*$/u, row);
  if (row < 0 || top < 0 || screen.cursor.visible) return undefined;
  const [, heading = "", ...said] = plainRows(screen, top, row);
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

/** The chosen one stands on a background of its own. */
export function readChoice(screen: Screen): Choice | undefined {
  const row = lastRowMatching(screen, optionsRow);
  if (row < 0) return undefined;
  const cells = screen.rows[row]?.cells ?? [];
  const text = textAt(screen, row);
  const usual = cells[text.indexOf("enter confirm")]?.bg;
  const chosen = labels.findIndex((label) => cells[text.indexOf(label)]?.bg !== usual);
  return chosen < 0 ? undefined : { at: chosen, forward: "Right", back: "Left" };
}
