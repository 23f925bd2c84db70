import { actOf, type Dialog, findNumberedOptions, numberedChoices, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching, textsBetween } from "../../tmux/screen-rule.js";

/** It hides the cursor. The question stands first, two columns in like agents' text; the title and the footer are its own. */
export function readDialog(screen: Screen): Dialog | undefined {
  const options = findNumberedOptions(screen);
  if (options === undefined || screen.cursor.visible || !/Action Required/u.test(screen.title))
    return undefined;
  const footer = textsBetween(screen, options.bottom + 1, screen.rows.length).some((text) =>
    text.startsWith("  Press enter to confirm or esc to cancel"),
  );
  const top = lastRowMatching(screen, /^ {2}(?:Would you like to|Do you want to) /u, options.top);
  if (!footer || top < 0) return undefined;
  const [question = "", ...said] = plainRows(screen, top, options.top);
  const command = said.findLast((text) => text.startsWith("$ "))?.slice(2);
  return {
    tool: command === undefined ? "codex" : "shell",
    title: command ?? question,
    act: actOf(question),
    words: plainRows(screen, top, options.bottom + 1)
      .map((text) => text.replace(/^› /u, ""))
      .join("\n"),
    options: numberedChoices(options, grants),
  };
}

function grants(label: string) {
  if (/^No\b/u.test(label)) return "deny";
  if (/^Yes, (?:proceed|just this once)\b/u.test(label)) return "once";
  if (/\bthis session\b/u.test(label)) return "session";
  return /\bdon['’]t ask again\b/u.test(label) ? "always" : undefined;
}
