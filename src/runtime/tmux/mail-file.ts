import { readdir, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeOwnFolder, OWN_FOLDER } from "../fs/own-folder.js";
import { RuntimeError } from "../runtime.js";
import type { Pane } from "./pane.js";

/*
 * Mail for a CLI that has none of Huddle's tools and is longer than a line: a file in the folder that the CLI works in, for
 * the time of its turn. Not in a folder of the hub's: claude asks its person before it reads elsewhere, gemini and qwen refuse
 * it. Only this user can read it, and git does not see it, unless the CLI reads nothing that git ignores.
 */

const forgottenMs = 24 * 60 * 60 * 1000;

/** Resolves to what removes it again. */
export async function writeMailFile(pane: Pane, name: string, text: string): Promise<() => Promise<void>> {
  const printed = await pane.tmux.run(["display-message", "-p", "-t", pane.id, "#{pane_current_path}"]);
  const project = (printed ?? "").replace(/\n$/, "");
  const folder = join(project, OWN_FOLDER);
  const file = join(folder, name);
  try {
    await openFolder(folder, pane.rule.refusesIgnored === true);
    await rm(file, { force: true });
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RuntimeError(
      "HELD",
      `The mail is longer than a line, its CLI has none of Huddle's tools, and ${file} could not be written: ${why}`,
      { inVain: true },
    );
  }
  return async () => {
    await rm(file, { force: true }).catch(() => {});
    await closeFolder(folder);
  };
}

async function openFolder(folder: string, isSeenByGit: boolean): Promise<void> {
  await makeOwnFolder(folder);
  if (!isSeenByGit) await writeFile(join(folder, ".gitignore"), "*\n", { mode: 0o600 });
  for (const name of await mailIn(folder)) {
    // Left by a hub that was killed in the middle of a turn.
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > forgottenMs) await rm(join(folder, name), { force: true });
  }
}

/** With the last mail in it the folder goes, unless the person keeps something of theirs there. */
async function closeFolder(folder: string): Promise<void> {
  const mail = await mailIn(folder).catch(() => ["?"]);
  if (mail.length > 0) return;
  await rm(join(folder, ".gitignore"), { force: true }).catch(() => {});
  await rmdir(folder).catch(() => {});
}

async function mailIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^mail-[0-9a-f]+\.txt$/.test(name));
}
