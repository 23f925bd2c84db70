import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { type Logger, pino } from "pino";
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
 * Each line is written at once: there are few, and the last one before a hub ends matters most. The streams of pino and of
 * the packages that rotate a log end at the first error, or try again forever: on a disk that has failed, the hub would
 * never get to its end.
 */
function openRotated(file: string, { maxBytes, files }: Rotation) {
  let { fd, size } = openFile(file);
  let isTorn = false;

  function rotate() {
    size = 0; // If it fails, as on a disk that refuses, it is tried again that much later.
    try {
      rotateFiles(file, files);
      const old = fd;
      ({ fd, size } = openFile(file));
      closeSync(old);
    } catch {
      // The old file goes on.
    }
  }

  return {
    write(line: string) {
      const bytes = Buffer.from(isTorn ? `\n${line}` : line);
      try {
        const written = writeSync(fd, bytes);
        isTorn = written < bytes.length;
        size += written;
      } catch {
        // A disk that is full or has failed costs the line.
      }
      if (size >= maxBytes) rotate();
    },
  };
}

/** Opened here and now: a log that cannot be written is said at the start, not found out when it is needed. */
function openFile(file: string): { fd: number; size: number } {
  try {
    const fd = openSync(file, "a", 0o600);
    return { fd, size: fstatSync(fd).size };
  } catch (error) {
    throw cannotUse(file, error);
  }
}
