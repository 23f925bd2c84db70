/*
 * The characters by which a text from outside could drive a terminal or hide what it says. Each place shows, drops or
 * refuses them as it must; which they are is written once, here.
 */

/** C0, DEL and C1, for a character class of a regular expression. */
export const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";

/** What moves or colours the text that follows, in a terminal: `ESC [ 31 m`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
export const ESCAPES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;

/** Controls, line separators, marks that turn the direction of text, byte order marks and invisible tags. */
const unsafe = new RegExp(
  `[${CONTROLS}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\u{e0000}-\\u{e007f}]`,
  "gu",
);

export function replaceUnsafe(text: string, by: (character: string) => string): string {
  return text.replace(unsafe, by);
}

/** Escapes as JSON has them: inside a JSON string they read back as the same characters. */
export function escapeUnsafe(text: string): string {
  return replaceUnsafe(text, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
