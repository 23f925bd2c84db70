/** How long the rest of a key may take. */
const REST_MS = 25;

/**
 * What a terminal sends, without keys or marks of a paste that are cut in two: it may hand over the rest in its next read. An Escape that
 * nothing follows was the key.
 * @param {NodeJS.ReadStream} input
 * @param {(data: string) => void} take
 */
export function readInput(input, take) {
  let begun = "";
  /** @type {NodeJS.Timeout | undefined} */
  let alone;
  input.setEncoding("utf8").on("data", (/** @type {string} */ data) => {
    clearTimeout(alone);
    const text = begun + data;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
    [begun = ""] = /\x1b(?:\[[\d;]*)?$/.exec(text) ?? [];
    if (text.length > begun.length) take(text.slice(0, text.length - begun.length));
    if (begun === "") return;
    alone = setTimeout(() => {
      const key = begun;
      begun = "";
      take(key);
    }, REST_MS);
  });
}
