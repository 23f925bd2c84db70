import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * The files below the folders whose path matches, sorted, with forward slashes; a folder that does not exist has none.
 * @param {string[]} folders
 * @param {RegExp} pattern
 */
export function listFiles(folders, pattern) {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).split(sep).join("/"))
    .filter((path) => pattern.test(path))
    .sort();
}
