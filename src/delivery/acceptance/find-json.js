// Finds the JSON that an agent answered with: the whole answer; else the last block that is fenced as ```json; else the last
// object or list in it that is whole. Of an answer whose beginning was cut off only such a block is sure to be whole. Plain
// JavaScript: a thread reads it as it is.

/** @typedef {{ value: unknown } | { problem: string }} Found */

const FENCED = /^[ \t]*(`{3,}|~{3,})[ \t]*json[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gim;

/** @param {string} text @param {boolean} isCut @returns {Found} */
export function findJson(text, isCut = false) {
  const whole = isCut ? undefined : parse(text.trim());
  if (whole !== undefined) return whole;
  const fenced = [...text.matchAll(FENCED)].at(-1)?.[2];
  if (fenced !== undefined)
    return parse(fenced.trim()) ?? { problem: "its last block of JSON is not valid JSON" };
  if (isCut)
    return {
      problem:
        "it is too long, and only its end was kept: answer with less, or with a ```json block at the end",
    };
  return findLast(text) ?? { problem: "there is no JSON in it" };
}

/** @param {string} text @returns {{ value: unknown } | undefined} */
function parse(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** @param {string} text @returns {{ value: unknown } | undefined} */
function findLast(text) {
  let found;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== "{" && text[at] !== "[") continue;
    const end = endOf(text, at);
    const value = end === undefined ? undefined : parse(text.slice(at, end));
    if (value === undefined || end === undefined) continue;
    found = value;
    at = end - 1;
  }
  return found;
}

/** Where what is opened here is closed again. @param {string} text @param {number} start @returns {number | undefined} */
function endOf(text, start) {
  const closing = [];
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{") closing.push("}");
    else if (character === "[") closing.push("]");
    else if (character === '"') {
      at = endOfString(text, at);
    } else if (character === "}" || character === "]") {
      if (closing.pop() !== character) return undefined;
      if (closing.length === 0) return at + 1;
    }
  }
  return undefined;
}

/** @param {string} text @param {number} start */
function endOfString(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
