import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type ConfigFile, readConfigFile, unusable } from "./config-file.js";
import { type ConfigFormat, ConfigProblem } from "./config-format.js";
import { type ConnectedFile, type ConnectionsFile, hashOf } from "./connections-file.js";
import { type Edit, isInEffect, type MadeEdit, makeEdit, undoEdit } from "./edits.js";
import { jsonConfig } from "./json-config.js";
import { tomlConfig } from "./toml-config.js";

/** What is to become of one file. Nothing is written yet. */
export type FilePlan = {
  file: string;
  format: "json" | "toml";
  what: string;
  /** As it is now. */
  now: ConfigFile;
  /** As it would be. The same as now, if all is there already. */
  after: string;
  /** As it was before Huddle, as far as that can be known; undefined: it was not there. */
  before: string | undefined;
  edits: MadeEdit[];
};

export const formats: Readonly<Record<FilePlan["format"], ConfigFormat>> = {
  json: jsonConfig,
  toml: tomlConfig,
};

type Wanted = Pick<FilePlan, "file" | "format" | "what"> & { edits: readonly Edit[] };

export function planFile({ edits, ...wanted }: Wanted, state: ConnectionsFile): FilePlan {
  const now = readConfigFile(wanted.file);
  const format = formats[wanted.format];
  return explaining(wanted.file, () => {
    const config = format.parse(now.text ?? "");
    if (edits.every((edit) => isInEffect(config, edit)))
      return { ...wanted, now, after: now.text ?? "", before: now.text, edits: [] };
    const before = withoutHuddle(now, state.find(wanted.file));
    const made: MadeEdit[] = [];
    let after = before ?? "";
    for (const edit of edits) {
      const step = makeEdit(format, after, edit);
      after = step.text;
      made.push(step.made);
    }
    return { ...wanted, now, after, before, edits: made };
  });
}

export function isChange({ now, after }: FilePlan): boolean {
  return after !== (now.text ?? "");
}

/** The file without what Huddle put there: byte by byte what it was, unless somebody else has changed it since. */
export function withoutHuddle(now: ConfigFile, record: ConnectedFile | undefined): string | undefined {
  if (record === undefined || now.text === undefined) return now.text;
  if (hashOf(now.text) === record.written) return backupOf(record);
  const format = formats[record.format];
  return explaining(now.file, () => {
    const rest = record.edits
      .toReversed()
      .reduce((text, edit) => undoEdit(format, text, edit), now.text ?? "");
    const isNothing = record.backup === null && Object.keys(format.parse(rest)).length === 0;
    return isNothing ? undefined : rest;
  });
}

function backupOf({ backup }: ConnectedFile): string | undefined {
  return backup === null ? undefined : readConfigFile(backup).text;
}

/** The first folder on the way to a file that is not there yet. */
export function folderToMake(file: string): string | null {
  const folder = dirname(file);
  return existsSync(folder) ? null : (folderToMake(folder) ?? folder);
}

function explaining<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    throw unusable(file, `cannot be read: ${error.message}`, "Nothing was written. Fix it and retry.");
  }
}
