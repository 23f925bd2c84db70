/* What the palette can find without asking the hub. */

export type PaletteKind = "agents" | "actions" | "messages";

const prefixes: Readonly<Record<string, PaletteKind>> = { "@": "agents", ">": "actions", "#": "messages" };

/** What is looked for, and among what: everything without a sign before it. */
export function readQuery(text: string): { only: PaletteKind | undefined; words: string } {
  const only = prefixes[text.slice(0, 1)];
  return { only, words: (only === undefined ? text : text.slice(1)).trim() };
}

/** How well a text fits: 0 not at all; the beginning counts more than the beginning of a word, that more than the inside. */
export function fitness(text: string, words: string): number {
  if (words === "") return 1;
  const all = text.toLowerCase();
  let least = 4;
  for (const word of words.toLowerCase().split(/\s+/)) {
    const at = all.indexOf(word);
    if (at < 0) return 0;
    const isWordStart = at === 0 || /[^\p{L}\p{N}]/u.test(all.charAt(at - 1));
    least = Math.min(least, at === 0 ? 3 : isWordStart ? 2 : 1);
  }
  return least;
}

export function findFitting<T>(
  items: readonly T[],
  words: string,
  textOf: (item: T) => string,
  most: number,
): T[] {
  return items
    .map((item, order) => ({ item, order, fit: fitness(textOf(item), words) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || a.order - b.order)
    .slice(0, most)
    .map(({ item }) => item);
}

/** The part of a message around the first hit, on one line. */
export function excerpt(content: string, words: string): string {
  const line = content.replace(/\s+/g, " ");
  const [first = ""] = words.toLowerCase().split(/\s+/);
  const at = line.toLowerCase().indexOf(first);
  return at <= 24 ? line.slice(0, 160) : `…${line.slice(at - 24, at + 136)}`;
}
