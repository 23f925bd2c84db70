import { opensAsOurs, readsAsOurs } from "./our-lines.js";
import { withoutOwnHead } from "./own-head.js";
import { CONTROLS, ESCAPES, replaceUnsafe } from "./unsafe-text.js";

/*
 * The words of others among ours. Every text that somebody else wrote passes here before a model reads it beside what the
 * hub says: as a block of lines, or as a part of a sentence. What is stored stays as it was written.
 */

/** Every character that some reader breaks a line at. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: some of them are controls
export const BREAKS = /(\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029])/;

type Block = {
  /** A head with its name is left out: messages of older journals may begin with one. */
  sender?: string | undefined;
  /** What ends the blocks of a prompt: it stands in none of them. */
  mark?: string | undefined;
};

/** A text of any length: lines that read as ours are quoted, the others stay as they are. */
export function quoteBlock(text: string, { sender, mark }: Block = {}): string {
  const unmarked = mark === undefined ? text : withoutMark(text, mark);
  return (sender === undefined ? unmarked : withoutOwnHead(unmarked, sender))
    .split(BREAKS)
    .map((part, i) => (i % 2 === 0 && readsAsOurs(part) ? `> ${part}` : part))
    .join("");
}

/** Again and again, since leaving it out may join the halves of another. Hardly any text has it. */
export function withoutMark(text: string, mark: string): string {
  if (!text.toLowerCase().includes(mark.toLowerCase())) return text;
  const left = text.replaceAll(new RegExp(mark, "gi"), "");
  return left === text ? text : withoutMark(left, mark);
}

const LINE_MOST = 200;
const QUOTATION_MARKS =
  /["\u00ab\u00bb\u02ba\u02dd\u02ee\u02f6\u05f2\u05f4\u1cd3\u201c-\u201f\u2033\u2036\u275d\u275e\u2760\u2e42\u3003\u301d-\u301f\uff02\u{1f676}-\u{1f678}]/gu;
const SPACES = new RegExp(`[${CONTROLS}\\s]+`, "g");

/**
 * A part of a sentence of ours: on one line, shortened, without controls, and without a quotation mark that could end
 * the one around it. A bracket with which words of ours might begin is quoted.
 */
export function quoteLine(text: string, most = LINE_MOST): string {
  const line = replaceUnsafe(text.replace(ESCAPES, "").replace(SPACES, " "), () => "")
    .replace(QUOTATION_MARKS, "'")
    .trim();
  return shorten(line, most).replace(/[\p{Ps}\p{Pi}<]+/gu, (brackets, at: number, shown: string) =>
    !shown.slice(0, at).endsWith("> ") && opensAsOurs(shown.slice(at)) ? `> ${brackets}` : brackets,
  );
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
