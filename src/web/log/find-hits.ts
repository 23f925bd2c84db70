import { prefixOf } from "../../model/search-query.js";

/*
 * Where the words that were looked for stand in a text, as the hub's index has found them: whole words in any case and with or
 * without accents, beginnings of words for `word*`, phrases over whatever stands between their words.
 */

/** From, and up to but without. */
export type Hit = readonly [from: number, to: number];

const LETTER = "\\p{L}\\p{N}\\p{Co}";

export function findHits(text: string, terms: readonly string[]): Hit[] {
  const pattern = toPattern(terms);
  if (pattern === undefined) return [];
  const { folded, places } = fold(text);
  return [...folded.matchAll(pattern)].map(({ 0: found, index }) => [
    places[index] ?? 0,
    places[index + found.length] ?? text.length,
  ]);
}

function toPattern(terms: readonly string[]): RegExp | undefined {
  const parts = terms.flatMap((term) => {
    const prefix = prefixOf(term);
    const words = fold(prefix ?? term).folded.match(new RegExp(`[${LETTER}]+`, "gu")) ?? [];
    return words.length === 0
      ? []
      : [words.join(`[^${LETTER}]+`) + (prefix === undefined ? `(?![${LETTER}])` : "")];
  });
  return parts.length === 0 ? undefined : new RegExp(`(?<![${LETTER}])(?:${parts.join("|")})`, "gu");
}

/** Without case and accents, and of each place where it was. */
function fold(text: string): { folded: string; places: readonly number[] } {
  let folded = "";
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = character.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    for (let i = 0; i < plain.length; i++) places.push(at);
    folded += plain;
    at += character.length;
  }
  places.push(at);
  return { folded, places };
}

/** Characters before the first hit, at most. */
const BEFORE = 24;
const MOST = 240;

/** One line of a text, from a little before the first hit on. */
export function excerptAround(content: string, terms: readonly string[]): { text: string; hits: Hit[] } {
  // A message may have a megabyte; a hit further back is not looked for in a row of the table.
  const line = content.slice(0, 20_000).replace(/\s+/g, " ").trim();
  const [first] = findHits(line, terms);
  const from = first === undefined || first[0] <= BEFORE ? 0 : wordStart(line, first[0] - BEFORE, first[0]);
  const text = `${from === 0 ? "" : "… "}${line.slice(from, from + MOST)}`;
  return { text, hits: findHits(text, terms) };
}

/** The next beginning of a word, if one is before the hit: no excerpt begins inside of one. */
function wordStart(line: string, from: number, hit: number): number {
  const space = line.indexOf(" ", from);
  return space === -1 || space >= hit ? from : space + 1;
}
