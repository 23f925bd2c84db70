// Every mutant of some files, each with a name that survives changes elsewhere: its file, the text of its line, what was
// changed, and which of those that are alike it is. So the same sample can be tried on another state of the tree.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { partOf } from "./parts.mjs";
import { importTool } from "./tools.mjs";

/**
 * @typedef {{ fileName: string, location: { start: Place, end: Place }, mutatorName: string, replacement: string, status?: string, statusReason?: string }} RawMutant
 * @typedef {{ line: number, column: number }} Place
 * @typedef {{ key: string, part: string, file: string, line: number, text: string, operator: string, original: string, replacement: string }} Mutant
 */

/** @param {readonly string[]} files @returns {Promise<Mutant[]>} */
export async function listMutants(files) {
  const { Instrumenter } = await importTool("instrumenter");
  const log = { debug() {}, info() {}, isDebugEnabled: () => false };
  const inputs = files.map((file) => ({
    name: resolve(file),
    mutate: true,
    content: readFileSync(file, "utf8"),
  }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants } = await new Instrumenter(log).instrument(inputs, options);
  return nameMutants(mutants);
}

/** @param {readonly RawMutant[]} raw @returns {Mutant[]} in the same order */
export function nameMutants(raw) {
  const seen = new Map();
  const lines = new Map();
  return raw.map(({ fileName, location, mutatorName, replacement }) => {
    const file = relative(process.cwd(), fileName);
    if (!lines.has(file)) lines.set(file, readFileSync(file, "utf8").split("\n"));
    const text = lines.get(file)[location.start.line].trim();
    const original = between(lines.get(file), location);
    const alike = [file, text, mutatorName, original, replacement].join("\n");
    const n = (seen.get(alike) ?? 0) + 1;
    seen.set(alike, n);
    const part = partOf(file) ?? "other";
    return {
      key: hash(`${alike}\n${n}`),
      part,
      file,
      line: location.start.line + 1,
      text,
      operator: mutatorName,
      original: short(original),
      replacement: short(replacement),
    };
  });
}

/** @param {string} text */
export function hash(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** @param {readonly string[]} lines @param {{ start: Place, end: Place }} location */
function between(lines, { start, end }) {
  if (start.line === end.line) return (lines[start.line] ?? "").slice(start.column, end.column);
  const middle = lines.slice(start.line + 1, end.line);
  return [lines[start.line]?.slice(start.column), ...middle, lines[end.line]?.slice(0, end.column)].join(
    "\n",
  );
}

/** @param {string} code */
function short(code) {
  const line = code.replace(/\s+/g, " ").trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
