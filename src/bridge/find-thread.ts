import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { parseJson } from "../model/parse-json.js";
import type { Codex } from "./find-codex.js";
import { isObject } from "./json.js";

/*
 * The thread of a codex session that has not called a tool yet. codex holds the file of each of its threads open from the first
 * turn on, and its first line says which thread it is, and in which folder. With several in our folder it cannot be known
 * which is ours; and a codex that was asked nothing yet has none.
 */

const ROLLOUT = /\/rollout-[^/]*\.jsonl$/;
/** It holds the instructions too. */
const LINE_MOST = 1024 * 1024;

export function findThread({ pid }: Codex, folder: string): string | undefined {
  const found = new Set(openRollouts(pid).flatMap((file) => threadOf(file, folder)));
  return found.size === 1 ? [...found][0] : undefined;
}

function openRollouts(pid: number): string[] {
  const fds = `/proc/${pid}/fd`;
  try {
    const files = readdirSync(fds).flatMap((fd) => linkOf(`${fds}/${fd}`));
    return [...new Set(files)].filter((file) => ROLLOUT.test(file));
  } catch {
    return []; // Gone, another user's, or another system.
  }
}

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return []; // Closed meanwhile.
  }
}

function threadOf(file: string, folder: string): string[] {
  const meta = parseJson(firstLine(file));
  const payload = isObject(meta) && meta["type"] === "session_meta" ? meta["payload"] : undefined;
  if (!isObject(payload) || payload["cwd"] !== folder) return [];
  // That of an agent of its own is `{"subagent": …}`.
  return typeof payload["id"] === "string" && !isObject(payload["source"]) ? [payload["id"]] : [];
}

function firstLine(file: string): string {
  try {
    const fd = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(LINE_MOST);
      const text = buffer.toString("utf8", 0, readSync(fd, buffer, 0, LINE_MOST, 0));
      return text.slice(0, text.indexOf("\n") + 1);
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}
