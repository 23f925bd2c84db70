import { actOf, type Dialog, findNumberedOptions, numberedChoices, plainRows } from "../../tmux/dialog.js";
import { isBlank, type Screen } from "../../tmux/screen.js";
import { lastRowMatching, textAt, textsBetween } from "../../tmux/screen-rule.js";

/**
 * In a frame whose first row is blank, which no tool's is; nothing stands below it. Only to stop is safe: the others try again, or
 * choose another model.
 */
function readLimitDialog(screen: Screen): Dialog | undefined {
  const options = findNumberedOptions(screen);
  const top = options === undefined ? -1 : lastRowMatching(screen, /^╭─{10,}╮\s*$/u, options.top);
  if (options === undefined || top < 0 || !/^│\s+│\s*$/u.test(textAt(screen, top + 1))) return undefined;
  const said = plainRows(screen, top, options.top);
  const [, ...below] = textsBetween(screen, options.bottom + 1, screen.rows.length)
    .join("\n")
    .split("╯");
  const stop = options.listed.find(({ label }) => label === "Stop");
  const isLimit = said[0]?.startsWith("Usage limit reached for ") === true;
  if (!isLimit || stop === undefined || below.length !== 1 || !isBlank(below.join(""))) return undefined;
  const { label, number } = stop;
  return {
    tool: "dialog",
    title: said[0] ?? "",
    act: "dialog",
    words: [...said, ...options.listed.map((one) => `${one.number}. ${one.label}`)].join("\n"),
    options: [],
    atLimit: { label, grants: "deny", key: String(number), at: number - 1 },
  };
}

/** A frame from column 0, headed `? Tool  what it does`, while the title says that something is to be decided. */
export function readDialog(screen: Screen): Dialog | undefined {
  const options = findNumberedOptions(screen);
  if (options === undefined || !screen.title.startsWith("✋")) return readLimitDialog(screen);
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
