import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The driver cannot be loaded; the message says why, and the one command that helps. */
export class DriverProblem extends Error {}

/** @param {"prebuilt" | "better-sqlite3"} name @param {unknown} error @returns {string} */
export function describeProblem(name, error) {
  const reason = firstLine(error);
  const machine = `${process.platform} ${process.arch}`;
  if (name === "better-sqlite3") {
    return `better-sqlite3, which HUDDLE_SQLITE asks for, cannot be loaded (${reason}). Install it: ${install("better-sqlite3@12 --allow-scripts=better-sqlite3")}`;
  }
  // There is no binary for this machine, or it needs a newer system: then one must be compiled.
  if (/No native build was found|GLIBC|wrong ELF class|incompatible architecture/.test(reason)) {
    return `Huddle's database driver has no binary that runs on this machine (${machine}: ${reason}). Install one that is compiled here: ${install("better-sqlite3@12 --allow-scripts=better-sqlite3")}`;
  }
  return `Huddle's database driver cannot be loaded (${machine}: ${reason}). Install it again: ${install("--force @photostructure/sqlite@~1.2.1")}`;
}

/** @param {string} what */
function install(what) {
  return `npm install --no-save --prefix ${quoted(ownFolder())} ${what}`;
}

/** Where Huddle is installed: the nearest folder above with Huddle's package.json. */
function ownFolder() {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && /"name":\s*"huddle"/.test(readFileSync(manifest, "utf8"))) return folder;
  }
  return start;
}

/** @param {string} path */
function quoted(path) {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** @param {unknown} error @returns {string} */
function firstLine(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}
