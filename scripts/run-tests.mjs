// Runs vitest in folders of its own, then judges the run: what it left behind fails it, and in CI so does a test that was
// skipped without being on the list. Usage: node scripts/run-tests.mjs <name of the report> [--strict] [arguments of vitest]
//   --strict  as in CI (where the environment says CI): skips count, a test marked `only` fails, and of what is new on the
//             machine everything is a leftover, since nobody else is at work on it
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { clientsFolder } from "./client-programs.mjs";
import { judgeReport } from "./judge-report.mjs";
import { watchLeftovers } from "./leftovers/find-leftovers.mjs";
import { makeRunFolders, removeRunFolder } from "./leftovers/run-folder.mjs";

const project = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
process.chdir(project);

const [name = "tests", ...given] = process.argv.slice(2);
const args = given.filter((arg) => arg !== "--strict");
const isStrict = args.length < given.length || !["", "0", "false"].includes(process.env["CI"] ?? "");
const reportFile = resolve(".cache", "report", `${name}.json`);
const { disk, memory } = makeRunFolders();
const findLeftovers = watchLeftovers({ project, folders: [disk, memory], isStrict });

const code = await runVitest();
const problems = [
  ...(await findLeftovers()),
  ...judgeReport(reportFile, { isStrict }),
  ...[memory, disk].flatMap(removeRunFolder),
];
for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length === 0) console.log("Nothing was left behind: no process, no port, no file.");
process.exitCode = code !== 0 ? code : problems.length > 0 ? 1 : 0;

/** @returns {Promise<number>} */
function runVitest() {
  rmSync(reportFile, { force: true });
  const env = {
    ...process.env,
    // Before the home is another one.
    HUDDLE_CLIENTS_DIR: clientsFolder(),
    HUDDLE_TEST_RUN: disk,
    HUDDLE_TEST_MEMORY: memory,
    HUDDLE_TEST_REPORT: reportFile,
    // Of what runs before a file has a place of its own.
    TMPDIR: disk,
  };
  const options = isStrict ? ["--allowOnly=false", ...args] : args;
  const vitest = spawn(process.execPath, [join("node_modules", "vitest", "vitest.mjs"), "run", ...options], {
    stdio: "inherit",
    env,
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.on(signal, () => vitest.kill(signal));
  return new Promise((done) => {
    vitest.once("close", (status) => done(status ?? 1));
  });
}
