import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { readConfigFile, unusable, writeConfigFile } from "./config-file.js";
import { madeEdit } from "./edits.js";

/*
 * What `huddle connect` wrote, for `--undo`: connections.json in the data folder, and beside it, in connect/, each file as it was
 * without Huddle. Only this user can read them: CLIs keep tokens in their files.
 */

const connectedFile = z.object({
  cli: z.string(),
  scope: z.enum(["user", "project"]),
  file: z.string(),
  format: z.enum(["json", "toml"]),
  /** What it is for, as people read it. */
  what: z.string(),
  at: z.string(),
  /** The copy; null when there was no file. */
  backup: z.string().nullable(),
  /** The first folder that was made for it. */
  made_folder: z.string().nullable(),
  /** The hash of the file as it was written. */
  written: z.string(),
  edits: z.array(madeEdit),
});
export type ConnectedFile = z.infer<typeof connectedFile>;

const connectionsFile = z.object({ version: z.literal(1), files: z.array(connectedFile) });

export type ConnectionsFile = {
  list(): readonly ConnectedFile[];
  find(file: string): ConnectedFile | undefined;
  /** In place of an earlier one of the same file. */
  keep(record: ConnectedFile): void;
  forget(record: ConnectedFile): void;
  /** Writes the copy and answers with its path. */
  backUp(cli: string, file: string, text: string): string;
};

export function openConnectionsFile(data: string): ConnectionsFile {
  const path = join(data, "connections.json");
  const folder = join(data, "connect");
  const list = () => read(path);

  function store(files: readonly ConnectedFile[]): void {
    if (files.length === 0) {
      rmSync(path, { force: true });
      rmSync(folder, { recursive: true, force: true });
      return;
    }
    writeConfigFile(readConfigFile(path), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
  }

  return {
    list,
    find: (file) => list().find((record) => record.file === file),
    keep: (record) => store([...list().filter(({ file }) => file !== record.file), record]),
    forget(record) {
      if (record.backup !== null) rmSync(record.backup, { force: true });
      store(list().filter(({ file }) => file !== record.file));
    },
    backUp(cli, file, text) {
      const copy = join(folder, `${cli}-${hashOf(file).slice(0, 8)}-${basename(file).replace(/^\./, "")}`);
      writeConfigFile(readConfigFile(copy), text);
      return copy;
    },
  };
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function read(path: string): ConnectedFile[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw unusable(path, `cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  try {
    return connectionsFile.parse(JSON.parse(text)).files;
  } catch {
    throw unusable(
      path,
      "is damaged: it says what huddle connect wrote",
      `Move it away, and take Huddle's entries out by hand: mv ${path} ${path}.old`,
    );
  }
}
