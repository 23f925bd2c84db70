/*
 * Text that somebody decides upon, so that nothing in it can hide: what nobody sees, turns the direction or passes for a space
 * becomes an escape; long runs of spaces and empty lines become their number. Nothing is left out.
 */

export type ExactPiece =
  | { kind: "text"; text: string }
  /** Stands there as written here, and is not what it seems. */
  | { kind: "escape"; text: string; title: string }
  /** So many of something that has no ink. */
  | { kind: "run"; text: string }
  /** A letter outside of ASCII: it may look like another one. */
  | { kind: "foreign"; text: string; title: string };

/** Controls but for tab and line break; unseen characters; separators; spaces but for the plain one; piles of marks. */
const UNSEEN =
  /(?![\t\n ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}\p{M})\p{M}/u;
const SPACES = / {24,}/;
const EMPTY_LINES = /(?<=\n)\n{5,}/;
const FOREIGN = /[^\p{ASCII}]/u;

const parts = (withForeign: boolean) =>
  new RegExp(
    [UNSEEN, SPACES, EMPTY_LINES, ...(withForeign ? [FOREIGN] : [])].map(({ source }) => source).join("|"),
    "gu",
  );
const anywhere = parts(false);
const inCommands = parts(true);

export function exactPieces(text: string, options: { markForeign?: boolean } = {}): ExactPiece[] {
  const pieces: ExactPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(options.markForeign === true ? inCommands : anywhere)) {
    if (match.index > from) pieces.push({ kind: "text", text: text.slice(from, match.index) });
    pieces.push(showPiece(match[0]));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

function showPiece(found: string): ExactPiece {
  if (found.startsWith(" ")) return { kind: "run", text: `${count(found.length)} spaces` };
  if (found.startsWith("\n")) return { kind: "run", text: `${count(found.length)} empty lines\n` };
  const code = found.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (!UNSEEN.test(found) && !/\p{M}/u.test(found))
    return {
      kind: "foreign",
      text: found,
      title: `${name}, not an ASCII character: it may look like another`,
    };
  const text =
    code <= 0xff ? `\\x${hex(code, 2)}` : code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 1)}}`;
  return { kind: "escape", text, title: `${name}: ${titles[code] ?? "a character that is not seen"}` };
}

const titles: Readonly<Record<number, string>> = {
  13: "carriage return: a terminal would write over what stands before it",
  27: "escape: it drives a terminal",
  160: "a space that is not the plain one",
  8203: "a space of no width",
  8237: "left-to-right override",
  8238: "right-to-left override: what follows would be shown backwards",
};

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** How much there is of it, where that is not seen at a glance: `2,431 characters, 40 lines`. */
export function sayExtent(text: string): string | undefined {
  const lines = text.split("\n").length;
  if (text.length <= 400 && lines <= 8) return undefined;
  const characters = `${count(Array.from(text).length)} characters`;
  return lines === 1 ? characters : `${characters}, ${count(lines)} lines`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
