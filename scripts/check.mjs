// Runs every static check, one for each core at a time, and says of each whether it passed and how long it took.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** @type {Record<string, string[]>} */
const checks = {
  "format and lint": [
    "node_modules/@biomejs/biome/bin/biome",
    "check",
    "--error-on-warnings",
    "--colors=off",
  ],
  "lint with types": ["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"],
  types: ["node_modules/typescript/bin/tsc", "--project", "tsconfig.json"],
  "types of browser tests": ["node_modules/typescript/bin/tsc", "--project", "test/browser"],
  "types of the examples": ["node_modules/typescript/bin/tsc", "--project", "tsconfig.examples.json"],
  layers: ["scripts/check-layers.mjs"],
  exports: ["node_modules/knip/bin/knip.js", "--include=exports,types,files", "--no-progress"],
  size: ["scripts/check-size.mjs"],
  lockfile: ["scripts/check-lockfile.mjs"],
  budget: ["scripts/check-budget.mjs"],
  protocol: ["scripts/run-ts.mjs", "scripts/protocol/main.ts", "--check"],
};
if (existsSync("src/web/tsconfig.json")) {
  checks["types of the desk"] = ["node_modules/typescript/bin/tsc", "--project", "src/web", "--noEmit"];
}

const results = await runAll(Object.entries(checks));
for (const { name, passed, output } of results)
  if (!passed) console.log(`\n── ${name} ──\n${output.trim()}\n`);
for (const { name, passed, seconds, output } of results) {
  const note = passed && ["layers", "size", "lockfile", "budget"].includes(name) ? `  ${output.trim()}` : "";
  console.log(`${passed ? "ok  " : "FAIL"}  ${name.padEnd(22)} ${seconds.toFixed(1).padStart(5)} s${note}`);
}
if (results.some(({ passed }) => !passed)) process.exit(1);

/**
 * All at once they take longer: several hold the whole project in memory.
 *
 * @param {[string, string[]][]} all
 */
async function runAll(all) {
  const waiting = [...all];
  /** @type {Awaited<ReturnType<typeof run>>[]} */
  const ended = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      ended.push(await run(...next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return ended;
}

/**
 * @param {string} name
 * @param {string[]} command
 * @returns {Promise<{ name: string, passed: boolean, seconds: number, output: string }>}
 */
function run(name, command) {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ name, passed: code === 0, seconds: (performance.now() - startedAt) / 1000, output });
    });
  });
}
