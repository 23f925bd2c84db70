import { foldPlain } from "../../model/plain-lookalikes.js";

/*
 * What is dangerous to show: controls, marks that turn the direction, characters that nobody sees. Tabs and line breaks are
 * no danger in a page.
 */

type Piece = { kind: "text"; text: string } | { kind: "escape"; text: string; title: string };

const UNSAFE =
  /(?!\t|\n|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/** Joiners belong into emoji, and into scripts whose letters change with their neighbours; elsewhere they only hide. */
const LONE_JOINER =
  /(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier}|[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff])[\u200c\u200d]/gu;

const titles: Readonly<Record<string, string>> = {
  "202a": "left-to-right embedding",
  "202b": "right-to-left embedding",
  "202c": "end of a turned direction",
  "202d": "left-to-right override",
  "202e": "right-to-left override: what follows would be shown backwards",
  "2066": "left-to-right isolate",
  "2067": "right-to-left isolate",
  "2068": "isolate",
  "2069": "end of an isolate",
  "200b": "zero-width space",
  feff: "byte order mark",
  "1b": "escape: it drives a terminal",
};

export function hasUnsafe(text: string): boolean {
  return text.search(UNSAFE) >= 0 || text.search(LONE_JOINER) >= 0;
}

export function splitUnsafe(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const all = [...text.matchAll(UNSAFE), ...text.matchAll(LONE_JOINER)].sort((a, b) => a.index - b.index);
  for (const match of all) {
    if (match.index > from) pieces.push({ kind: "text", text: text.slice(from, match.index) });
    pieces.push(showEscape(match[0]));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

/** The same as one text, for where there is room for nothing else: titles, labels, clipboards. */
export function escapeShown(text: string): string {
  return splitUnsafe(text)
    .map((piece) => piece.text)
    .join("");
}

function showEscape(character: string): Piece {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return {
    kind: "escape",
    text: `\\u{${hex}}`,
    title: titles[hex] ?? "a character that is not seen",
  };
}

/** The name among the others that this one could be taken for, if any. Names are small letters and digits. */
export function looksLikeOther(name: string, others: readonly string[]): string | undefined {
  const folded = fold(name);
  return others.find((other) => other !== name && fold(other) === folded);
}

function fold(name: string): string {
  return foldPlain(name.replace(/[_-]/g, ""));
}
