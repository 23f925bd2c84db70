import { parts } from "./parts.mjs";

/** @typedef {import("./results.mjs").Stored} Stored */

const KILLED = new Set(["Killed", "Timeout"]);
const COUNTED = new Set([...KILLED, "Survived", "NoCoverage"]);

/** @param {readonly Stored[]} results */
function scoreOf(results) {
  const counted = results.filter(({ status }) => COUNTED.has(status));
  const killed = counted.filter(({ status }) => KILLED.has(status));
  const percent = counted.length === 0 ? undefined : (100 * killed.length) / counted.length;
  return { mutants: counted.length, killed: killed.length, percent };
}

/** @param {readonly Stored[]} results */
export function summarize(results) {
  const rows = Object.keys(parts).map((part) => ({
    part,
    ...scoreOf(results.filter((result) => result.part === part)),
  }));
  const survivors = results
    .filter(({ status }) => status === "Survived" || status === "NoCoverage")
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  return { parts: rows, total: scoreOf(results), survivors };
}

/** @param {ReturnType<typeof summarize>} summary */
export function render({ parts: rows, total, survivors }) {
  const line = (/** @type {string} */ name, /** @type {ReturnType<typeof scoreOf>} */ score) =>
    `${name.padEnd(10)} ${(score.percent?.toFixed(1) ?? "–").padStart(6)} %  ${score.killed} of ${score.mutants} killed`;
  return [
    ...survivors.map(
      ({ file, line, operator, original, replacement, status }) =>
        `${status === "NoCoverage" ? "untested" : "survived"}  ${file}:${line}  ${operator}: ${original} → ${replacement}`,
    ),
    "",
    ...rows.filter(({ mutants }) => mutants > 0).map(({ part, ...score }) => line(part, score)),
    line("total", total),
  ].join("\n");
}
