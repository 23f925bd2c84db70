import { compact, type Screen } from "./screen.js";
import { type InputBox, type ScreenRule, textOf } from "./screen-rule.js";

/**
 * The rows between our line, where it stands last, and the box; all rows above the box once our line scrolled away. The
 * row of our line itself is left out.
 */
export function transcriptAfter(
  rule: ScreenRule,
  screen: Screen,
  box: InputBox | undefined,
  tag: string,
): string[] {
  const rows = screen.rows
    .slice(0, box?.top)
    .map(({ cells, text }) =>
      (box?.right === undefined ? text : textOf(cells.slice(0, box.right))).trimEnd(),
    );
  // A narrow pane wraps a long tag; its beginning is enough to find the row. An agent may repeat the tag in its answer.
  const start = compact(tag).slice(0, Math.max(12, screen.width - 8));
  const isSent = (row: string) => compact(row).includes(start) && !rule.marks.output.test(row);
  return rows.slice(rows.findLastIndex(isSent) + 1);
}

/** The agent's words in it, as far as a screen can tell: from where its output begins, without the CLI's own rows. */
export function agentWords({ marks }: ScreenRule, transcript: readonly string[]): string[] {
  const begin = transcript.findIndex((row) => marks.output.test(row));
  if (begin < 0) return [];
  const words = transcript
    .slice(begin)
    .filter((row) => !marks.chrome.test(row))
    .map((row) => row.replace(/^\s*[●•✦◆⛬]\ufe0e? +|^ {2,5}/u, ""));
  while (words.at(-1)?.trim() === "") words.pop();
  return words;
}

/** What was added since the last look. Rows scroll off at the top and the last one grows; what was redrawn is not told again. */
export function appended(before: readonly string[], after: readonly string[]): string {
  for (let gone = 0; gone <= before.length; gone++) {
    const rest = before.slice(gone);
    if (rest.length > after.length) continue;
    const last = rest.length - 1;
    if (!rest.every((row, at) => (at === last ? (after[at] ?? "").startsWith(row) : row === after[at])))
      continue;
    if (last < 0 && before.length > 0) return `\n${after.join("\n")}`;
    const grown = (after[last] ?? "").slice((rest[last] ?? "").length);
    const more = after.slice(last + 1);
    return last < 0 ? more.join("\n") : [grown, ...more].join("\n");
  }
  return "";
}
