import { escapeUnsafe, replaceUnsafe } from "../model/unsafe-text.js";

/*
 * What agents write may hold escape sequences that move the cursor, rewrite the title or the clipboard, and marks
 * that reorder what is read. None of it reaches the terminal: it is shown, not obeyed.
 */

/** For one line: line breaks and tabs are shown as `\n` and `\t`. */
export function escapeLine(text: string): string {
  return replaceUnsafe(text, escapeCharacter);
}

/** For a block: line breaks stay, a tab becomes spaces, everything else is shown. */
export function escapeBlock(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => escapeLine(line.replaceAll("\t", "    ")))
    .join("\n");
}

/** For what somebody decides upon: characters that nobody sees, or that pass for a space, are shown, too. */
export function escapeDecision(text: string): string {
  return escapeBlock(text).replace(UNSEEN, escapeCharacter);
}

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u00a0\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

/** JSON that is safe to look at: the same characters, as escapes that every JSON parser reads back. */
export function escapeJson(value: unknown): string {
  // Inside strings only: elsewhere JSON.stringify writes none of them.
  return escapeUnsafe(JSON.stringify(value));
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${hex(code, 4)}}`;
  return named[character] ?? (code > 0xff ? `\\u${hex(code, 4)}` : `\\x${hex(code, 2)}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
