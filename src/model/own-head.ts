/*
 * Agents copy the form in which they read mail, and put a head with their own name before what they write. Who sent a
 * message is known without it.
 */

const space = /\s*/y;
const restOfLine = /[ \t]*(?:\r\n|\n|\r)?/y;

/** The text without the heads at its start that name its sender, however many there are. */
export function withoutOwnHead(text: string, sender: string): string {
  const heads = [`[From agent "${sender}"]:`, `[${sender}]:`];
  let at = 0;
  for (;;) {
    const start = endOf(space, text, at);
    if (text[start] !== "[") break;
    const head = heads.find((known) => text.startsWith(known, start));
    if (head === undefined) break;
    at = endOf(restOfLine, text, start + head.length);
  }
  return at === 0 ? text : text.slice(at);
}

/** Where a match that begins here ends; both can be empty, so there always is one. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return Math.max(from, pattern.lastIndex);
}
