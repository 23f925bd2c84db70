import type { Look, Pane } from "./pane.js";
import { look } from "./pane.js";
import { boxText } from "./read-screen.js";
import { compact, isBlank, type Screen } from "./screen.js";
import { type InputBox, textOf } from "./screen-rule.js";
import { readTyping, refillIfQuiet } from "./typing.js";

/*
 * Our line stands in the input box and the person typed beside it. Once they pause, the box is emptied and given back what
 * is theirs, in one step. Where that cannot be told for sure (their words go on over the end of a row, where a space may be
 * or not), nothing is touched.
 */

/** Whether our line is out and the person's words are as they were. */
export async function takeOut(pane: Pane, line: string): Promise<boolean> {
  const typing = await readTyping(pane);
  if (!typing.quiet) return false;
  const { reading, screen } = await look(pane);
  if (reading.state !== "draft" || reading.box.special) return false;
  const theirs = wordsBeside(reading.box, screen, line);
  const rows = rowsWritten(reading.box, screen);
  return theirs !== undefined && refillIfQuiet(pane, typing, { text: theirs, rows, screen });
}

/** Up to the cursor: an Enter that the CLI took for a new line leaves it in a row of its own, below all that is written. */
export function rowsWritten({ top, bottom, content }: InputBox, { rows, cursor }: Screen): number {
  const written = content.map((cells) => compact(textOf(cells))).filter((text) => text !== "");
  const last = rows.findLastIndex(
    ({ text }, at) => at >= top && at <= bottom && compact(text).includes(written.at(-1) ?? ""),
  );
  const between = rows.slice(last + 1, cursor.row + 1);
  const isBelow = last >= 0 && cursor.column > 0 && between.every(({ text }) => isBlank(text));
  return written.length + (isBelow ? between.length : 0);
}

/** Our whole line, and something else. */
export function holdsBeside({ reading }: Look, line: string): boolean {
  if (!("box" in reading) || reading.box === undefined) return false;
  const text = boxText(reading.box);
  return text !== compact(line) && text.includes(compact(line));
}

/** What else is in the box than our line; undefined where the screen does not tell it to the letter. */
function wordsBeside(box: InputBox, screen: Screen, line: string): string | undefined {
  const rows = box.content.map((cells) => textOf(cells));
  const shown = rows.flatMap((text, row) =>
    Array.from(text, (char, column) => ({ char, row, column })).filter(({ char }) => !isBlank(char)),
  );
  const ours = compact(line);
  const start = shown
    .map(({ char }) => char)
    .join("")
    .indexOf(ours);
  if (start < 0) return undefined;
  // By characters, as `shown` has them: one may be of two code units.
  const from = Array.from(
    shown
      .map(({ char }) => char)
      .join("")
      .slice(0, start),
  ).length;
  const [before, after] = [shown.slice(0, from), shown.slice(from + Array.from(ours).length)];
  const parts = [before, after].map((chars) => piece(rows, chars));
  if (parts.some((part) => part === undefined)) return undefined;
  const space = after.length > 0 && endsInSpace(box, screen) ? " " : "";
  return parts.join("") + space;
}

/** The text of one row from the first of these characters to the last. */
function piece(
  rows: readonly string[],
  chars: readonly { row: number; column: number }[],
): string | undefined {
  const [first, last] = [chars[0], chars.at(-1)];
  if (first === undefined || last === undefined) return "";
  if (first.row !== last.row) return undefined;
  return Array.from(rows[first.row] ?? "")
    .slice(first.column, last.column + 1)
    .join("");
}

/** A space after the last word shows only by where the cursor is: the terminal's, or one that the CLI draws. */
function endsInSpace({ content, bottom }: InputBox, screen: Screen): boolean {
  const cells = content.at(-1) ?? [];
  const last = cells.findLastIndex(({ char }) => !isBlank(char));
  const drawn = cells.findIndex(({ inverse }, at) => inverse && at > last);
  if (drawn >= 0) return drawn === last + 2;
  const { cursor, rows } = screen;
  if (!cursor.visible || cursor.row > bottom) return false;
  const typed = (rows[cursor.row]?.text ?? "").trimEnd();
  return cursor.column === Array.from(typed).length + 1;
}
