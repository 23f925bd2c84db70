import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Runs the TypeScript compiler, which prints what is wrong.
 * @param {string} project the tsconfig file
 * @param {string} [outDir] where to write the output; without it the types are only checked
 * @returns {Promise<boolean>} whether it succeeded
 */
export function compile(project, outDir) {
  const output = outDir === undefined ? ["--noEmit"] : ["--outDir", outDir];
  const compiler = spawn(process.execPath, [findCompiler(), "--project", project, ...output], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    compiler.once("error", reject);
    compiler.once("close", (code) => resolve(code === 0));
  });
}

function findCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  } catch {
    console.error(
      "TypeScript is not installed, so nothing can be built. Run `npm ci` first, with dev dependencies.",
    );
    process.exit(1);
  }
}
