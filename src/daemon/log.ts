import { openSync } from "node:fs";
import { dirname } from "node:path";
import { destination, type Logger, pino } from "pino";
import { cannotUse, makePrivateFolder } from "./private-file.js";

export type Log = Pick<Logger, "info" | "warn" | "error" | "fatal" | "flush">;

/** The hub's own log, JSON lines. A disk that is full costs log lines, never the hub. */
export function openLog(file: string, level: string): Log {
  makePrivateFolder(dirname(file));
  const stream = destination({ fd: openToAppend(file), sync: false });
  stream.on("error", () => {});
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/** Opened here and now: a log that cannot be written is said at the start, not found out when it is needed. */
function openToAppend(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw cannotUse(file, error);
  }
}
