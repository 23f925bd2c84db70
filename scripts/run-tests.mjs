// Runs vitest in folders of its own, then judges the run: what it left behind fails it, and in CI so does a test that was
// skipped without being on the list. Usage: node scripts/run-tests.mjs <name of the report> [arguments of vitest]
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { clientsFolder } from "./client-programs.mjs";
import { findFiles, findProcesses, homeEntries, pids } from "./leftovers.mjs";

const project = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
process.chdir(project);

/** What was told to end needs a moment for it: no agent outlives its hub by more. */
const GRACE_MS = 10_000;
/** A tmux socket's path has at most about a hundred characters. */
const LONGEST = 40;

/** @typedef {import("../test/report/suite-report.js").SuiteReport} SuiteReport */

const [name = "tests", ...args] = process.argv.slice(2);
const reportFile = resolve(".cache", "report", `${name}.json`);
const run = mkdtempSync(join(tmpdir().length > LONGEST ? "/tmp" : tmpdir(), "hud-"));
const memory = existsSync("/dev/shm") ? join("/dev/shm", basename(run)) : join(run, "memory");
mkdirSync(memory);
const before = new Set(pids());
const inHome = new Set(homeEntries(homedir()));

const code = await runVitest();
const problems = [...(await findLeftovers()), ...judgeReport()];
for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length === 0) console.log("Nothing was left behind: no process, no port, no file.");
for (const folder of [run, memory]) rmSync(folder, { recursive: true, force: true });
process.exitCode = code !== 0 ? code : problems.length > 0 ? 1 : 0;

/** @returns {Promise<number>} */
function runVitest() {
  rmSync(reportFile, { force: true });
  const env = {
    ...process.env,
    // Before the home is another one.
    HUDDLE_CLIENTS_DIR: clientsFolder(),
    HUDDLE_TEST_RUN: run,
    HUDDLE_TEST_MEMORY: memory,
    HUDDLE_TEST_REPORT: reportFile,
  };
  const vitest = spawn(process.execPath, [join("node_modules", "vitest", "vitest.mjs"), "run", ...args], {
    stdio: "inherit",
    env,
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.on(signal, () => vitest.kill(signal));
  return new Promise((done) => {
    vitest.once("close", (status) => done(status ?? 1));
  });
}

/** @returns {Promise<string[]>} */
async function findLeftovers() {
  const marks = { folders: [run, memory], project, before };
  const deadline = Date.now() + GRACE_MS;
  let left = findProcesses(marks);
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(100);
    left = findProcesses(marks);
  }
  for (const { pid } of left) endProcess(pid);
  const files = [
    ...[run, memory].filter((folder) => existsSync(folder)).flatMap(findFiles),
    ...homeEntries(homedir()).filter((path) => !inHome.has(path)),
  ];
  return [
    ...left.map(({ pid, command, ports }) => {
      const listening = ports.length === 0 ? "" : `, listening on ${ports.join(", ")}`;
      return `Left running: process ${pid}${listening}: ${command.slice(0, 300)}`;
    }),
    ...files.slice(0, 20).map((file) => `Left lying: ${file}`),
    ...(files.length > 20 ? [`Left lying: ${files.length - 20} more files`] : []),
  ];
}

/** @param {number} pid */
function endProcess(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

/** @returns {string[]} */
function judgeReport() {
  if (!existsSync(reportFile)) return ["Vitest wrote no report of the run."];
  /** @type {SuiteReport} */
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  /** @type {{ file: string, name: string, reason: string }[]} */
  const allowed = JSON.parse(readFileSync(join("test", "report", "allowed-skips.json"), "utf8"));
  const surprising = report.skipped.filter(
    (skip) => !allowed.some(({ file, name: test }) => file === skip.file && skip.name.includes(test)),
  );
  const sentences = surprising.map(
    ({ file, name: test, note }) => `Skipped: ${file} > ${test}${note === "" ? "" : ` (${note})`}`,
  );
  if (process.env["CI"] !== undefined && sentences.length > 0) {
    return [
      ...sentences,
      "A skipped test fails CI. Make it run, or name it with its reason in test/report/allowed-skips.json.",
    ];
  }
  for (const sentence of sentences) console.log(sentence);
  return [];
}
