// What lies in a folder.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What other programs keep in a home: a shell's history, npm's cache, the sessions of the scripted agent. */
const kept = /\/home\/\.(bash_history|npm|scripted)(\/|$)/;

/**
 * The files in a folder, at any depth. Empty folders, and the sockets that tmux leaves where its servers ended, do not count. A folder that
 * cannot be read does: nobody knows what is in it.
 * @param {string} folder
 * @param {ReadonlySet<string>} [mounts] where not to look
 * @returns {Generator<string>}
 */
export function* findFiles(folder, mounts = new Set()) {
  for (const entry of entriesOf(folder)) {
    if (typeof entry === "string") {
      yield entry;
      continue;
    }
    const path = join(folder, entry.name);
    if (entry.isSocket() || kept.test(path) || mounts.has(path)) continue;
    if (entry.isDirectory()) yield* findFiles(path, mounts);
    else yield path;
  }
}

/** The entries, or a word about why there are none. @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return code === "ENOENT" ? [] : [`${folder} (cannot be read: ${code})`];
  }
}

/** Whether something is a file, or a folder with one in it. @param {string} path */
export function hasFiles(path) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSocket()) return false;
  return !stat.isDirectory() || findFiles(path).next().done === false;
}
