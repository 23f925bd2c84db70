/* Finding one's way in a JSON text without building what it says. */

const NUMBER_PARTS = new Set(Buffer.from("+-.0123456789Ee"));

/** The index of the quotation mark that ends the string which begins at `start`. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** The first index from `start` on that is no part of a number: digits, signs, point and exponent. */
export function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return start;
  let end = start + 1;
  while (end < text.length && NUMBER_PARTS.has(text.charCodeAt(end))) end++;
  return end;
}

/** The way to what stands at an index of a text that is JSON, such as `metadata.limits.0`; empty for the document itself. */
export function placeIn(text: string, index: number): string {
  const way: (string | number)[] = [];
  let key = "";
  for (let i = 0; i < index; i++) {
    const last = way.at(-1);
    switch (text.charAt(i)) {
      case '"': {
        const end = endOfString(text, i);
        key = String(JSON.parse(text.slice(i, end + 1)));
        i = end;
        break;
      }
      case "{":
      case "[":
        way.push(text[i] === "[" ? 0 : "");
        break;
      case "}":
      case "]":
        way.pop();
        break;
      case ",":
        if (typeof last === "number") way[way.length - 1] = last + 1;
        break;
      case ":":
        way[way.length - 1] = key;
    }
  }
  return way.join(".");
}
