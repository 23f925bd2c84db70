import { fstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { destination, type Logger, pino } from "pino";
import { rotateFiles } from "../views/comms-log/rotate-files.js";
import { cannotUse, makePrivateFolder } from "./private-file.js";

export type Log = Pick<Logger, "info" | "warn" | "error" | "fatal">;

type Rotation = { maxBytes: number; files: number };

const ROTATION: Rotation = { maxBytes: 10 * 1024 * 1024, files: 5 };

/** The hub's own log, JSON lines. A disk that is full costs log lines, never the hub. */
export function openLog(file: string, level: string, rotation = ROTATION): Log {
  makePrivateFolder(dirname(file));
  return pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    openRotated(file, rotation),
  );
}

/*
 * The packages that rotate a log give the current file another name, or write through a thread or a stream that ends at
 * the first error. pino's own stream goes on after one, so this only puts a new one in its place.
 */
function openRotated(file: string, { maxBytes, files }: Rotation) {
  let { stream, size } = openStream(file);

  function rotate() {
    size = 0; // If it fails, as on a disk that refuses, it is tried again that much later.
    try {
      rotateFiles(file, files);
      const old = stream;
      ({ stream, size } = openStream(file));
      old.end();
    } catch {
      // The old file goes on.
    }
  }

  return {
    write(line: string) {
      stream.write(line);
      size += Buffer.byteLength(line);
      if (size >= maxBytes) rotate();
    },
    /** pino asks for it after a fatal line. */
    flushSync: () => stream.flushSync(),
  };
}

/** Opened here and now: a log that cannot be written is said at the start, not found out when it is needed. */
function openStream(file: string) {
  try {
    const fd = openSync(file, "a", 0o600);
    const { size } = fstatSync(fd);
    const stream = destination({ fd, sync: false });
    stream.on("error", () => {});
    return { stream, size };
  } catch (error) {
    throw cannotUse(file, error);
  }
}
