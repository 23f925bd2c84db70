// Stryker, which makes the mutants and tells the tests which one is on. It is 65 MB and belongs to no build of Huddle, so
// it is installed below .cache when a mutation run asks for it. 9.6.1 is the last version that runs on Node 20.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const VERSION = "9.6.1";
const PACKAGES = [`@stryker-mutator/core@${VERSION}`, `@stryker-mutator/vitest-runner@${VERSION}`];
const FOLDER = resolve(".cache", "mutation", `stryker-${VERSION}`);

export function installTools() {
  if (existsSync(FOLDER)) return;
  const fresh = `${FOLDER}.${process.pid}.new`;
  console.log(`Installing Stryker ${VERSION} (65 MB) into ${FOLDER} …`);
  mkdirSync(fresh, { recursive: true });
  writeFileSync(
    join(fresh, "package.json"),
    `${JSON.stringify({ name: "mutation-tools", private: true })}\n`,
  );
  // Its peers, vitest and its kin, are found in the project's own node_modules, above .cache.
  const flags = ["--no-audit", "--no-fund", "--save-exact", "--ignore-scripts", "--legacy-peer-deps"];
  const { status } = spawnSync("npm", ["install", ...flags, ...PACKAGES], { cwd: fresh, stdio: "inherit" });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error("npm could not install Stryker. Is the registry reachable?");
  }
  renameSync(fresh, FOLDER);
}

/** @param {string} name a package of Stryker's, as "core" @param {string} [file] @returns {Promise<any>} */
export function importTool(name, file = "dist/src/index.js") {
  return import(pathToFileURL(join(FOLDER, "node_modules", "@stryker-mutator", name, file)).href);
}

/** @param {string} name @param {string} file */
export function toolPath(name, file) {
  return join(FOLDER, "node_modules", "@stryker-mutator", name, file);
}
