import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const CACHE = resolve(".cache", "conformance");
const INSTALL_MS = 600_000;

/** The folder of an npm package that is no dependency of ours, installed once for each version. */
export function installed(name: string, version: string): string {
  const folder = join(CACHE, `${name.split("/").at(-1)}-${version}`);
  const found = join(folder, "node_modules", name);
  const done = join(folder, "installed");
  if (existsSync(done)) return found;
  console.error(`installing ${name}@${version} …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const { status, stderr } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--no-save", `${name}@${version}`],
    { cwd: folder, encoding: "utf8", timeout: INSTALL_MS },
  );
  if (status !== 0) throw new Error(`${name}@${version} could not be installed: ${stderr}`);
  writeFileSync(done, "");
  return found;
}

/** A Node new enough for the suite, whatever runs this. */
export function newerNode(): string {
  const file = join(installed("node", "24"), "bin", "node");
  if (!existsSync(file)) throw new Error(`${file} is missing: the package node brings one for this platform`);
  return file;
}
