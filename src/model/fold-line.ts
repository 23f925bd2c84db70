import { confusables } from "./confusables.js";
import { foldPlain, joinLetters } from "./plain-lookalikes.js";

/*
 * A forger of our lines need not write them to the letter: letters of other alphabets, characters that nobody sees, Markdown and
 * spaces leave them readable. Folding takes all of that away, so that what reads alike is alike. It is only for comparing; nobody
 * is shown a folded text.
 */

/** Not tabs and the like, which are spaces; but the mark of byte order, which JavaScript takes for one. */
const UNSEEN = /(?![^\S\ufeff])[\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const ARROWS =
  /[\u2190-\u21ff\u2794\u2798-\u27be\u27f0-\u27ff\u2900-\u297f\u2b00-\u2bff\u{1f800}-\u{1f8ff}]/gu;

/** Alike, and not in the table of the standard: small capitals, and letters in circles, squares and flags. */
const SMALL_CAPITALS = "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz";
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

type Lookalikes = { letters: ReadonlyMap<string, string>; looksLikeNothing: RegExp };

let made: Lookalikes | undefined;

/** Made when the first line needs them: every command loads this file, and most see none. */
function lookalikes(): Lookalikes {
  if (made === undefined) {
    const letters = readTable();
    // Some marks look like letters when nothing stands before them.
    const marks = [...letters.keys()].filter((key) => /\p{M}/u.test(key)).join("");
    made = { letters, looksLikeNothing: new RegExp(`(?:(?![${marks}])${UNSEEN.source})+`, "gu") };
  }
  return made;
}

function readTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const [target, points] of Object.entries(confusables)) {
    for (const point of points.split(" "))
      table.set(String.fromCodePoint(Number.parseInt(point, 16)), target);
  }
  for (const [, character = "", letter = ""] of SMALL_CAPITALS.matchAll(/(.)(.)/gu))
    table.set(character, letter);
  for (const first of ALPHABETS) {
    for (let i = 0; i < 26; i++) table.set(String.fromCodePoint(first + i), String.fromCharCode(97 + i));
  }
  return table;
}

/** Folding goes on until so much is left of it: no line of ours is told by more. What does not count does not fill it. */
const ENOUGH = 600;
const PIECE = 1024;

/**
 * The beginning of a line in small letters, without what is not seen and what only adorns, however much of it there is.
 * Left are letters, digits, single spaces, commas, colons, `[` for all kinds of square brackets, `(` for other opening
 * ones, `]` for closing ones, and `>` for arrows.
 */
export function foldLine(line: string): string {
  let folded = "";
  for (let at = 0; at < line.length && folded.length < ENOUGH; ) {
    const end = at + PIECE - (isHighSurrogate(line.charCodeAt(at + PIECE - 1)) ? 1 : 0);
    folded = (folded + simplify(unmask(line.slice(at, end)))).replace(LONG_RUN, distinct);
    at = end;
  }
  return foldPlain(folded.replace(/ +/g, " "));
}

/** A folded text without its spaces, for words that are written letter by letter. */
export function squeeze(folded: string): string {
  return joinLetters(folded.replace(/[ ,]/g, ""));
}

/** Only what is in it counts. */
const LONG_RUN = /[ [\](:>,]{16,}/g;

function distinct(run: string): string {
  return [...new Set(run)].join("");
}

function simplify(text: string): string {
  return text
    .toLowerCase()
    .replace(/[{<]/g, "(")
    .replace(/[)}]/g, "]")
    .replace(/(?<=\p{L})\|(?=\p{L})/gu, "l")
    .replace(/[\s|]+/g, " ")
    .replace(/[^\p{L}\p{N} [\](:>,]/gu, "");
}

function unmask(text: string): string {
  if (/^[\t\x20-\x7e]*$/.test(text)) return text;
  const seen = text.replace(lookalikes().looksLikeNothing, "");
  // Capitals and small letters are in the table apart, and so is what a character is made of.
  return lookAlike(lookAlike(lookAlike(seen.replace(ARROWS, ">")).toLowerCase()).normalize("NFKD"))
    .replace(UNSEEN, "")
    .replace(/(?!\()[\p{Ps}\p{Pi}]/gu, "[")
    .replace(/[\p{Pe}\p{Pf}]/gu, "]");
}

function lookAlike(text: string): string {
  const { letters } = lookalikes();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return text.replace(/[^\x00-\x7f]/gu, (character) => letters.get(character) ?? character);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
