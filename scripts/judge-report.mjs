// Whether tests were skipped that must not be: test/report/allowed-skips.json names those that may be, each with its reason.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {import("../test/report/suite-report.js").SuiteReport} SuiteReport */

/**
 * @param {string} reportFile
 * @param {{ isStrict: boolean }} options elsewhere than in CI a skip is only named
 * @returns {string[]}
 */
export function judgeReport(reportFile, { isStrict }) {
  if (!existsSync(reportFile)) return ["Vitest wrote no report of the run."];
  /** @type {SuiteReport} */
  const { skipped } = JSON.parse(readFileSync(reportFile, "utf8"));
  /** @type {{ file: string, name: string, reason: string }[]} */
  const list = JSON.parse(readFileSync(join("test", "report", "allowed-skips.json"), "utf8"));
  const allowed = new Set(list.map(({ file, name }) => `${file} > ${name}`));
  /** @type {string[]} */
  const forbidden = [];
  for (const { file, name, note } of skipped) {
    const test = `${file} > ${name}`;
    const sentence = `Skipped: ${test}${note === "" ? "" : ` (${note})`}`;
    if (isStrict && !allowed.has(test)) forbidden.push(sentence);
    else console.log(sentence);
  }
  if (forbidden.length === 0) return [];
  return [
    ...forbidden,
    "A skipped test fails CI. Make it run, or name it with its reason in test/report/allowed-skips.json.",
  ];
}
