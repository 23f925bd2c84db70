import { actOf, type Dialog, findNumberedOptions, numberedChoices, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching, textsBetween } from "../../tmux/screen-rule.js";

/** Below a rule in column 0, where agents' text never is: a heading, what is to be done, the question, its options. */
export function readDialog(screen: Screen): Dialog | undefined {
  const options = findNumberedOptions(screen);
  if (options === undefined) return undefined;
  const rule = lastRowMatching(screen, /^─{20,}/u, options.top);
  const [heading = "", ...rest] = plainRows(screen, rule + 1, options.top);
  const isAsked = rest.at(-1)?.startsWith("Do you want to ") === true;
  const footer = textsBetween(screen, options.bottom + 1, screen.rows.length).some((text) =>
    text.startsWith(" Esc to cancel"),
  );
  if (rule < 0 || !isAsked || !footer) return undefined;
  const act = heading === "Read file" ? "read" : actOf(heading);
  const dashes = lastRowMatching(screen, /^╌{20,}/u, options.top);
  const begin = lastRowMatching(screen, /^╌{20,}/u, dashes);
  // A file's content stands between the dashes, its path above; of the others, what is to be done.
  const what = act === "edit" || begin < rule ? rest[0] : plainRows(screen, begin + 1, dashes).join(" ");
  return {
    tool: heading,
    title: `${heading}: ${what}`,
    act,
    words: plainRows(screen, rule + 1, options.bottom + 1)
      .filter((text) => !text.startsWith("Tip: "))
      .map((text) => text.replace(/^❯ /u, ""))
      .join("\n"),
    options: numberedChoices(options, grants),
  };
}

function grants(label: string) {
  if (/^No\b/u.test(label)) return "deny";
  if (label === "Yes") return "once";
  if (/switch to auto mode/u.test(label)) return undefined;
  if (/\b(?:during|for) this session\b/u.test(label)) return "session";
  return /\b(?:always allow|don['’]t ask again)\b/u.test(label) ? "always" : undefined;
}
