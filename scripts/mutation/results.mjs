// Results are written down one by one, so that an interrupted run goes on where it was, and a later run tries again only
// what a change may have touched: a killed mutant stays killed while its file and the test that killed it are the same;
// any other result holds while no source, no test and no version of what they import changed.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles } from "../list-files.mjs";
import { hash } from "./mutants.mjs";

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {"Killed" | "Timeout" | "Survived" | "NoCoverage" | "Static" | "Broken"} Status
 * @typedef {{ status: Status, killer?: string, ms?: number }} Result
 * @typedef {Mutant & Result & { source: string, killerSource?: string, tree: string }} Stored
 */

const FILE = join(".cache", "mutation", "results.jsonl");

export function openResults() {
  const tree = hashTree();
  /** @type {Map<string, Stored>} */
  const stored = new Map();
  if (existsSync(FILE)) {
    for (const line of readFileSync(FILE, "utf8").split("\n")) {
      const result = parse(line);
      if (result !== undefined) stored.set(result.key, result);
    }
  }
  return {
    tree,
    /** @param {Mutant} mutant @returns {Stored | undefined} */
    find(mutant) {
      const result = stored.get(mutant.key);
      if (result === undefined) return undefined;
      const isKill = result.status === "Killed" && result.killer !== undefined;
      const holds = isKill
        ? result.source === hashFile(mutant.file) && result.killerSource === hashFile(result.killer ?? "")
        : result.tree === tree;
      // It may have moved since.
      return holds ? { ...result, ...mutant } : undefined;
    },
    /** @param {Mutant} mutant @param {Result} result */
    add(mutant, result) {
      const killer = result.killer === undefined ? {} : { killerSource: hashFile(result.killer) };
      const entry = { ...mutant, ...result, ...killer, source: hashFile(mutant.file), tree };
      stored.set(mutant.key, entry);
      mkdirSync(dirname(FILE), { recursive: true });
      appendFileSync(FILE, `${JSON.stringify(entry)}\n`);
    },
  };
}

/** The last line may be half written. @param {string} line @returns {Stored | undefined} */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Beside the sources, the tests and what these read: the versions of what is imported, and how the tests run. */
const settings = [
  "package-lock.json",
  "package.json",
  "tsconfig.json",
  "vitest.mutation.config.ts",
  "scripts/mutation/run-stryker.mjs",
  "scripts/mutation/tools.mjs",
];

export function treeFiles() {
  return [...listFiles(["src", "test"], /./).filter((file) => !file.startsWith("src/web/")), ...settings];
}

function hashTree() {
  return hash(
    treeFiles()
      .map((file) => `${file} ${hashFile(file)}`)
      .join("\n"),
  );
}

/** @param {string} file */
function hashFile(file) {
  return existsSync(file) ? hash(readFileSync(file, "utf8")) : "";
}
