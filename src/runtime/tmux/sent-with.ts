import type { Look } from "./pane.js";
import { pasteLine } from "./paste-line.js";
import { compact, isBlank, type Row, type Screen } from "./screen.js";
import { type InputBox, type ScreenRule, textOf } from "./screen-rule.js";

/*
 * What a CLI was really sent, as its transcript repeats it. A key that nothing could keep out stands there beside our line.
 * Only what is more than our line counts: CLIs shorten and redraw what they repeat, which says nothing.
 */

/** What was sent together with our line; `""` when it was alone, undefined while that cannot be told. */
export function sentWith(
  rule: ScreenRule,
  screen: Screen,
  box: InputBox | undefined,
  { line, tag }: { line: string; tag: string },
): string | undefined {
  const shown = sentMessages(rule, screen, box).findLast((text) => compact(text).includes(compact(tag)));
  return shown === undefined ? undefined : moreThan(pasteLine(line), tag, shown);
}

/** Calls back once, when two looks in a row show that our line was not sent alone. */
export function watchSent(
  rule: ScreenRule,
  sent: { line: string; tag: string },
  mixed: (words: string) => void,
): (look: Look) => void {
  let last: string | undefined;
  let isTold = false;
  return ({ reading, screen }) => {
    // A dialog takes the place of the box, which says where a side bar begins: its words would be taken for more.
    if (isTold || reading.state === "exited" || reading.state === "dialog") return;
    const now = sentWith(rule, screen, "box" in reading ? reading.box : undefined, sent);
    if (now !== undefined && now !== "" && now === last) {
      isTold = true;
      mixed(now);
    }
    last = now;
  };
}

/** Rows of the CLI's own that may follow what was sent without a blank row between. */
const below = /^\s*[⎿└↳╭│]/u;

/** Each message in the transcript that was sent to the agent. */
function sentMessages({ sent, marks }: ScreenRule, screen: Screen, box: InputBox | undefined): string[] {
  const messages: string[][] = [];
  let open: string[] | undefined;
  for (const row of screen.rows.slice(0, box?.top)) {
    const text = (box?.right === undefined ? row.text : textOf(row.cells.slice(0, box.right))).trimEnd();
    const isMarked = sent.before.test(text) && (sent.shaded !== true || isShaded(row));
    const words = isMarked ? text.replace(sent.before, "") : text;
    const isElse = !isMarked && (sent.each || isOthers(text) || sent.goesOn?.test(text) === false);
    if (isBlank(words) || isElse) open = undefined;
    else if (isMarked && (open === undefined || sent.each !== true)) {
      open = [sent.beside === undefined ? words : words.replace(sent.beside, "")];
      messages.push(open);
    } else open?.push(words);
  }
  return messages.map((rows) => rows.map((row) => row.trim()).join("\n"));

  function isOthers(text: string): boolean {
    return below.test(text) || marks.output.test(text) || marks.chrome.test(text);
  }
}

function isShaded({ cells }: Row): boolean {
  return cells[0] !== undefined && cells[0].bg !== "";
}

/** The words before the tag, and those within or after our line. */
function moreThan(line: string, tag: string, shown: string): string {
  const chars = Array.from(shown, (char, at) => ({ char, at })).filter(({ char }) => !isBlank(char));
  const all = chars.map(({ char }) => char);
  const ours = Array.from(compact(line));
  const start = Array.from(compact(shown).split(compact(tag))[0] ?? "").length;
  const rest = all.slice(start);
  const same = countSame(ours, rest);
  const sameAtEnd = countSame(ours.slice(same).reverse(), rest.slice(same).reverse());
  const letters = Array.from(shown);
  // A CLI may have completed a word such as `@file`.
  const isWhole = same + sameAtEnd === ours.length && (same === ours.length || !line.includes("@"));
  let behind = start + same;
  if (same === ours.length && /@\S*$/u.test(line)) while (goesOn(chars[behind])) behind += 1;
  const parts = [[0, start], ...(isWhole ? [[behind, all.length - sameAtEnd]] : [])];
  return (
    parts
      .map(([from = 0, to = 0]) => {
        const [first, last] = [chars[from], chars[to - 1]];
        return from >= to || first === undefined || last === undefined
          ? ""
          : letters.slice(first.at, last.at + 1).join("");
      })
      // Scroll bars and frames are the screen's.
      .map((words) =>
        words
          .replace(/[\u2500-\u259f]+/gu, "")
          .replaceAll("\n", " ")
          .trim(),
      )
      .filter((words) => words !== "")
      .join(" … ")
  );

  /** A long word goes on in the next row. */
  function goesOn(next: { at: number } | undefined): boolean {
    const before = next === undefined ? undefined : letters[next.at - 1];
    return before !== undefined && (before === "\n" || !isBlank(before));
  }
}

function countSame(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((char, index) => char !== other[index]);
  return at < 0 ? one.length : at;
}
