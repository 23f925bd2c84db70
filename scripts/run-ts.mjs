// Runs a TypeScript file under test/ or scripts/protocol/: compiles these and src/ into .cache/run when they changed,
// then runs the file's output with the remaining arguments. `npm run check` looks at the types. Usage: node scripts/run-ts.mjs test/bench/main.ts [args]
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.mjs";
import { listFiles } from "./list-files.mjs";
import { isStale, replaceFolder } from "./replace-folder.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const [file, ...args] = process.argv.slice(2);
if (file === undefined || !file.endsWith(".ts")) {
  console.error("Usage: node scripts/run-ts.mjs <file.ts> [args]");
  process.exit(2);
}

const run = {
  outDir: join(".cache", "run"),
  entry: join("src", "main.js"),
  inputs: ["src", "test", join("scripts", "protocol"), "package.json", "tsconfig.json", "tsconfig.run.json"],
  fill,
};

if (isStale(run) && !(await replaceFolder(run))) process.exit(1);

const child = spawn(process.execPath, [join(run.outDir, file.replace(/\.ts$/, ".js")), ...args], {
  stdio: "inherit",
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128);
});

/**
 * Besides what is compiled, sources find the SQL beside them and their version in ../package.json; and tests where the
 * agent CLIs are. @param {string} folder
 */
async function fill(folder) {
  if (!(await compile("tsconfig.run.json", folder))) return false;
  for (const path of [
    ...listFiles(["src"], /\.sql$/),
    "package.json",
    join("scripts", "client-programs.mjs"),
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(path, join(folder, path));
  }
  return true;
}
