/** A recipient that is being typed: `@` at the beginning of a word, up to the caret. */
export type Mention = { from: number; to: number; typed: string };

export function findMention(text: string, caret: number): Mention | undefined {
  const found = /(?:^|\s)@([a-z0-9_/-]*)$/i.exec(text.slice(0, caret));
  if (found === null) return undefined;
  const typed = found[1] ?? "";
  return { from: caret - typed.length - 1, to: caret, typed: typed.toLowerCase() };
}

/** The text without it. */
export function dropMention(text: string, { from, to }: Mention): string {
  return (text.slice(0, from).replace(/ $/, "") + text.slice(to)).trimStart();
}

/** Those whose names begin so, then those that have it inside. */
export function matchNames<T extends { name: string }>(all: readonly T[], typed: string): T[] {
  const within = all.filter(({ name }) => name.includes(typed));
  return [
    ...within.filter(({ name }) => name.startsWith(typed)),
    ...within.filter(({ name }) => !name.startsWith(typed)),
  ];
}
