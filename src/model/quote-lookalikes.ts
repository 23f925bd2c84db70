/*
 * Who said what is told to the model by lines that only the hub writes. A line in a message that looks like one of them is
 * quoted, so that nobody speaks in another's name.
 */

/** The heads of envelopes and blocks, as they begin a line. Names are loose here: a near miss fools a model too. */
const heads: readonly RegExp[] = [
  /^\[ ?from (the )?(agent|user|human|person|hub|system)\b/,
  /^\[[a-z0-9][a-z0-9_-]{0,63}\] ?:/,
  /^msg_[a-z0-9_]+_[0-9a-f]{8} ?:/,
  /^\[agent\]/,
  /^\[status ?:/,
  /^\[coordination ?:/,
  /^\[[^\]]{1,80}(→|->)[^\]]{1,80}\]/,
  /^-{2,} ?(messages from other agents|end messages|end of messages)/,
  /^your task ?:/,
  /^\(huddle\b/,
];

/** Every character that some reader breaks a line at. */
const BREAKS = /(\r\n|[\n\r\v\f\u0085\u2028\u2029])/;

export function quoteLookalikes(text: string): string {
  return text
    .split(BREAKS)
    .map((part, i) => (i % 2 === 0 && looksLikeHead(part) ? `> ${part}` : part))
    .join("");
}

export function looksLikeHead(line: string): boolean {
  // What is not seen does not make a line another one, nor do wide or bold forms of the same letters.
  const seen = line
    .slice(0, 400)
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}\p{Mn}]/gu, "")
    .replace(/\s+/g, " ")
    .trimStart()
    .toLowerCase();
  return heads.some((head) => head.test(seen));
}

/** Agents that copy the form they see put their own name before their text. */
function stripOwnPrefix(text: string, sender: string): string {
  for (const prefix of [`[From agent "${sender}"]:`, `[${sender}]:`]) {
    if (text.startsWith(prefix)) return text.slice(prefix.length).replace(/^ ?\n?/, "");
  }
  return text;
}

/** The words of a sender, as a model may read them. */
export function safeWords(text: string, sender: string): string {
  return quoteLookalikes(stripOwnPrefix(text, sender));
}
