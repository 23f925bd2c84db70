// What `.ci/run` does after `npm ci`: every part in turn, then a table of what each took. What fails does not keep the other tests from
// running, unless they need it.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** @typedef {{ name: string, command: string[], report?: string, download?: boolean, isNeeded?: boolean }} Part `isNeeded`: by all that follow */
/** @typedef {{ name: string, seconds: number, passed: boolean, download: boolean, report?: string }} Done */

/** @type {Part[]} */
const parts = [
  { name: "system packages", command: ["scripts/ensure-system.mjs"], download: true, isNeeded: true },
  { name: "agent CLIs", command: ["scripts/install-clients.mjs"], download: true, isNeeded: true },
  { name: "check", command: ["scripts/check.mjs"] },
  { name: "build", command: ["scripts/build.mjs", "--if-stale"], isNeeded: true },
  tests("tests", "tests", "--project", "!*-long"),
  tests("long tests", "long", "--project", "*-long"),
  tests("tests with agent CLIs", "clients", "--config", "vitest.clients.config.ts"),
];

rmSync(join(".cache", "report"), { recursive: true, force: true });
/** @type {Done[]} */
const done = [{ name: "npm ci", seconds: installSeconds(), passed: true, download: true }];
for (const part of parts) {
  console.log(`\n── ${part.name} ──`);
  const result = await run(part);
  done.push(result);
  if (!result.passed && part.isNeeded) break;
}
printTable();
process.exitCode = done.every(({ passed }) => passed) && done.length === parts.length + 1 ? 0 : 1;

/**
 * Judged strictly, whatever the machine says of itself: agent CLIs behave in other ways where CI is set.
 * @param {string} name @param {string} report @param {string[]} args @returns {Part}
 */
function tests(name, report, ...args) {
  return { name, command: ["scripts/run-tests.mjs", report, "--strict", ...args], report };
}

/** How long `npm ci` took, as `.ci/run` measured it. */
function installSeconds() {
  const began = Number(process.env["HUDDLE_CI_BEGAN"] ?? Number.NaN);
  return Number.isNaN(began) ? 0 : Date.now() / 1000 - performance.now() / 1000 - began;
}

/** @param {Part} part @returns {Promise<Done>} */
function run({ name, command, report, download = false }) {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { stdio: ["ignore", "inherit", "inherit"] });
    child.once("close", (code) => {
      const seconds = (performance.now() - began) / 1000;
      resolve({ name, seconds, passed: code === 0, download, ...(report === undefined ? {} : { report }) });
    });
  });
}

function printTable() {
  console.log("\nPart                     Seconds  Tests");
  let [passed, failed, skipped] = [0, 0, 0];
  for (const { name, seconds, passed: isGood, download, report } of done) {
    const result = report === undefined ? undefined : readReport(report);
    passed += result?.passed ?? 0;
    failed += result?.failed ?? 0;
    skipped += result?.skipped.length ?? 0;
    const tests = result === undefined ? "" : String(result.passed + result.failed);
    const note = `${isGood ? "" : "  FAILED"}${download ? "  (mostly downloads)" : ""}`;
    console.log(`${name.padEnd(24)} ${seconds.toFixed(0).padStart(7)}  ${tests.padStart(5)}${note}`);
    const slowest = [...(result?.files ?? [])].sort((a, b) => b.seconds - a.seconds).slice(0, 5);
    for (const { file, seconds: spent } of slowest)
      console.log(`${" ".repeat(24)} ${spent.toFixed(0).padStart(7)}  ${file}`);
    for (const { file, name: test, tries, state } of result?.retried ?? [])
      console.log(`${" ".repeat(24)} tried again ${tries}×, then ${state}: ${file} > ${test}`);
  }
  const own = done.filter(({ download }) => !download).reduce((sum, { seconds }) => sum + seconds, 0);
  const all = done.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(
    `${"together".padEnd(24)} ${all.toFixed(0).padStart(7)}  (${own.toFixed(0)} without downloads)`,
  );
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
}

/** @param {string} name @returns {import("../test/report/suite-report.js").SuiteReport | undefined} */
function readReport(name) {
  const file = join(".cache", "report", `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
