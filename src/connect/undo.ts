import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { type ConfigFile, readConfigFile, writeConfigFile } from "./config-file.js";
import { type ConnectedFile, type ConnectionsFile, hashOf } from "./connections-file.js";
import { withoutHuddle } from "./plan-file.js";

/** How one file is freed of Huddle. */
export type UndoPlan = { record: ConnectedFile; now: ConfigFile; after: string | undefined };

export function planUndo(record: ConnectedFile): UndoPlan {
  const now = readConfigFile(record.file);
  return { record, now, after: withoutHuddle(now, record) };
}

export type UndoState = "restored" | "cleaned" | "removed" | "gone";

export function applyUndo({ record, now, after }: UndoPlan, state: ConnectionsFile): UndoState {
  if (after !== undefined && after !== now.text) writeConfigFile(now, after);
  if (after === undefined) {
    rmSync(record.file, { force: true });
    if (record.made_folder !== null) removeEmpty(dirname(record.file), record.made_folder);
  }
  const isUntouched = now.text !== undefined && hashOf(now.text) === record.written;
  state.forget(record);
  if (now.text === undefined) return "gone";
  if (after === undefined) return "removed";
  return isUntouched ? "restored" : "cleaned";
}

/** Folders that were made for the file go with it, unless something else is in them by now. */
function removeEmpty(folder: string, first: string): void {
  try {
    if (existsSync(folder)) rmdirSync(folder);
  } catch {
    return; // Not empty: it is somebody's.
  }
  if (folder !== first) removeEmpty(dirname(folder), first);
}
