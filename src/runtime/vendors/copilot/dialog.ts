import { actOf, type Dialog, type NumberedOptions, numberedChoices, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching } from "../../tmux/screen-rule.js";

/** A frame over the whole width at the bottom: a heading, what is to be done, the question, its options, the keys. */
export function readDialog(screen: Screen): Dialog | undefined {
  const footer = lastRowMatching(screen, /^│ ↑\/↓ to navigate\b/u);
  const question = lastRowMatching(screen, /^│ Do you want to (?!trust)\S/u, footer);
  // In the last option it takes words: a key that we press would be one of them.
  if (screen.cursor.visible) return undefined;
  if (question < 0 || lastRowMatching(screen, /^╰─{20,}╯$/u) < footer) return undefined;
  const options = readOptions(screen, question + 1, footer);
  if (options === undefined) return undefined;
  const rule = lastRowMatching(screen, /^│ ─{16,} │$/u, question);
  const [heading = ""] = plainRows(screen, rule - 1, rule);
  const framed = plainRows(screen, rule + 1, question).map(withoutFrame);
  const asked = plainRows(screen, question, options.top).join(" ");
  const act = /^Do you want to run\b/u.test(asked) ? "execute" : actOf(asked);
  const done = framed.filter((text) => text !== "");
  return {
    tool: heading,
    title: act === "execute" ? done.join(" ") : asked.replace(/^Do you want to (.*)\?$/u, "$1"),
    act,
    words: [
      heading,
      ...done,
      asked,
      ...options.listed.map(({ number, label }) => `${number}. ${label}`),
    ].join("\n"),
    // Its number only leads to the field for words; this key is what the option itself names.
    options: numberedChoices(options, grants).map((option) =>
      option.grants === "deny" ? { ...option, key: "Escape" } : option,
    ),
  };
}

/** A label that is too long goes on in the next row, under its beginning or one column before it. */
function readOptions(screen: Screen, from: number, to: number): NumberedOptions | undefined {
  const listed: { number: number; label: string }[] = [];
  for (const text of plainRows(screen, from, to)) {
    const [, number, label] = /^(?:❯ )?(\d)\. (\S.*)$/u.exec(text) ?? [];
    const last = listed.at(-1);
    if (Number(number) === listed.length + 1) listed.push({ number: listed.length + 1, label: label ?? "" });
    else if (last !== undefined) last.label += ` ${text}`;
  }
  const top = screen.rows.findIndex(({ text }, at) => at >= from && /^│ ❯? +1\. |^│ ❯ 1\. /u.test(text));
  return listed.length < 2 || top < 0 ? undefined : { top, bottom: to - 1, listed };
}

function withoutFrame(text: string): string {
  return text.replace(/^[╭╰│]─*\s*|\s*─*[╮╯│]$/gu, "").trim();
}

function grants(label: string) {
  if (/^No\b/u.test(label)) return "deny";
  if (label === "Yes") return "once";
  return /^Yes, and don['’]t ask again\b/u.test(label) ? "session" : undefined;
}
