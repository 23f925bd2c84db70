// Runs a TypeScript file under test/ (a bench, a soak): compiles src/ and test/ into .cache/run when they changed,
// then runs the file's output with the remaining arguments. Usage: node scripts/run-ts.mjs test/bench/main.ts [args]
import { spawn } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, isStale } from "./compile.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const [file, ...args] = process.argv.slice(2);
if (file === undefined || !file.endsWith(".ts")) {
  console.error("Usage: node scripts/run-ts.mjs <file.ts> [args]");
  process.exit(2);
}

const run = {
  project: "tsconfig.run.json",
  rootDir: ".",
  outDir: join(".cache", "run"),
  entry: join("src", "main.js"),
  inputs: ["src", "test", "package.json", "tsconfig.json", "tsconfig.run.json"],
};

if (isStale(run)) {
  if (!(await compile(run))) process.exit(1);
  // Sources find their version in ../package.json.
  copyFileSync("package.json", join(run.outDir, "package.json"));
}

const child = spawn(process.execPath, [join(run.outDir, file.replace(/\.ts$/, ".js")), ...args], {
  stdio: "inherit",
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128);
});
