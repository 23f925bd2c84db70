import { actOf, type Dialog, findNumberedOptions, numberedChoices, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching } from "../../tmux/screen-rule.js";

/** A frame from column 0, headed `? Tool  what it does`, while the title says that something is to be decided. */
export function readDialog(screen: Screen): Dialog | undefined {
  const options = findNumberedOptions(screen);
  if (options === undefined || !screen.title.startsWith("✋")) return undefined;
  const top = lastRowMatching(screen, /^│ \? \S/u, options.top);
  if (top < 0) return undefined;
  const said = plainRows(screen, top, options.top);
  const [, tool = "", what = ""] = /^\? (\S+)\s+(.*)$/u.exec(said[0] ?? "") ?? [];
  if (tool === "" || said.at(-1)?.endsWith("?") !== true) return undefined;
  return {
    tool,
    title: `${tool}: ${what}`,
    act: actOf(tool),
    words: plainRows(screen, top, options.bottom + 1)
      .map((text) => text.replace(/^(?:\?|●) /u, ""))
      .join("\n"),
    options: numberedChoices(options, grants),
  };
}

function grants(label: string) {
  if (/^No\b/u.test(label)) return "deny";
  if (/^Allow once\b/u.test(label)) return "once";
  if (/^Allow .*\bfor this session\b/u.test(label)) return "session";
  return /^Allow .*\bfuture sessions\b|^Always allow\b/u.test(label) ? "always" : undefined;
}
