import { actOf, type Dialog, findNumberedOptions, numberedChoices, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching, textsBetween } from "../../tmux/screen-rule.js";

/** Headed `? Tool what it does ←`, and below the options a row that says what it waits for. */
export function readDialog(screen: Screen): Dialog | undefined {
  const options = findNumberedOptions(screen);
  if (options === undefined) return undefined;
  const waits = textsBetween(screen, options.bottom + 1, screen.rows.length).some((text) =>
    /^ {2}\S+ Waiting for user confirmation/u.test(text),
  );
  const top = lastRowMatching(screen, /^ {2}\? \S.*←/u, options.top);
  if (!waits || top < 0) return undefined;
  const said = plainRows(screen, top, options.top);
  const [, tool = "", what = ""] = /^\? (\S+)\s*(.*?)\s*←$/u.exec(said[0] ?? "") ?? [];
  if (tool === "" || said.at(-1)?.endsWith("?") !== true) return undefined;
  return {
    tool,
    title: `${tool}: ${what}`,
    act: actOf(tool),
    words: plainRows(screen, top, options.bottom + 1)
      .map((text) => text.replace(/^(?:\?|›) | ←$/gu, ""))
      .join("\n"),
    options: numberedChoices(options, grants),
  };
}

function grants(label: string) {
  if (/^No\b/u.test(label)) return "deny";
  if (/^Yes, allow once\b/u.test(label)) return "once";
  return /^(?:Always allow|Yes, allow always)\b/u.test(label) ? "always" : undefined;
}
