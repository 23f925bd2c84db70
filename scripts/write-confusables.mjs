// Writes src/model/confusables.ts: which characters look like letters, digits and colons of ASCII, by the table of UTS #39.
//
//   curl -O https://www.unicode.org/Public/security/latest/confusables.txt
//   node scripts/write-confusables.mjs confusables.txt
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [source] = process.argv.slice(2);
if (source === undefined)
  throw new Error("Name the file: node scripts/write-confusables.mjs confusables.txt");
const lines = readFileSync(source, "utf8").split("\n");
const version = lines
  .find((line) => line.startsWith("# Version:"))
  ?.slice("# Version:".length)
  .trim();

/** @type {Map<string, string>} */
const skeletons = new Map();
for (const line of lines) {
  const [from, to] = line.replace(/^\uFEFF/, "").split(";");
  if (to === undefined || !/^[0-9A-F]+\s*$/.test(from ?? "")) continue;
  skeletons.set(fromHex(from ?? ""), fromHex(to));
}
// Small letters that look like small capitals are mapped to each other there; what their capitals look like is what is read.
for (const letter of everyLetter()) {
  const upper = letter.toUpperCase();
  if (!isPlain(skeletonOf(letter)) && upper !== letter && isPlain(skeletonOf(upper))) {
    skeletons.set(letter, skeletonOf(upper));
  }
}

/** @type {Map<string, string[]>} */
const alike = new Map();
for (const [character, to] of skeletons) {
  const seen = skeletonOf(to);
  // What decomposing alone finds, and what is ASCII itself, needs no row.
  if (!isPlain(seen) || character <= "~" || telling(character) === telling(seen)) continue;
  // A bar may be a letter of a word or a line between words: the reader of the table decides.
  const isBar = telling(seen) === "l" && !/[\p{L}\p{N}]/u.test(character);
  const target = isBar ? "|" : telling(seen);
  if (target !== "") alike.set(target, [...(alike.get(target) ?? []), character]);
}

const rows = [...alike]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([target, characters]) => {
    const points = characters.map((character) => character.codePointAt(0) ?? 0).sort((a, b) => a - b);
    return `  ${/^[a-z]+$/.test(target) ? target : `"${target}"`}: "${points.map((point) => point.toString(16)).join(" ")}",`;
  });
writeFileSync(
  fileURLToPath(new URL("../src/model/confusables.ts", import.meta.url)),
  `/*
 * Written by scripts/write-confusables.mjs from confusables.txt of UTS #39, version ${version}. Not to be edited.
 * © Unicode, Inc., under the Unicode License v3: https://www.unicode.org/license.txt
 */

/** By what it looks like, in small letters: the code points of each character, in hexadecimal. */
export const confusables: Readonly<Record<string, string>> = {
${rows.join("\n")}
};
`,
);

/** @param {string} hex */
function fromHex(hex) {
  return hex
    .trim()
    .split(/\s+/)
    .map((point) => String.fromCodePoint(Number.parseInt(point, 16)))
    .join("");
}

/** @param {string} text */
function skeletonOf(text) {
  return Array.from(text, (character) => skeletons.get(character) ?? character).join("");
}

/**
 * What is left of a text where only letters, digits and colons count.
 * @param {string} text
 */
function telling(text) {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}:]/gu, "");
}

/** @param {string} text */
function isPlain(text) {
  return /^[!-~]{1,3}$/.test(text.normalize("NFKD").replace(/\p{M}/gu, ""));
}

function* everyLetter() {
  for (let point = 0x80; point < 0x20000; point++) {
    const character = String.fromCodePoint(point);
    if (/\p{Ll}/u.test(character)) yield character;
  }
}
