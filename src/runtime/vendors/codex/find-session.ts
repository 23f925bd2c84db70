import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { readLines } from "../../process/read-lines.js";

/*
 * codex names its session only when it ends, and then not if it was killed. But it keeps the files of its sessions open, and
 * the first line of each says whose it is. Of several, after `/new` or with agents of its own, it is in that which
 * was written last and is not an agent's.
 */

const name = /\/rollout-[^/]*\.jsonl$/;
const firstLine = z.looseObject({
  type: z.literal("session_meta"),
  payload: z.looseObject({ id: z.string().min(1), source: z.unknown() }),
});

export async function findCodexSession(openFiles: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(openFiles.filter((file) => name.test(file)).map(readSession));
  const sessions = found.filter((one) => one !== undefined);
  return sessions.sort((a, b) => b.writtenAt - a.writtenAt)[0]?.id;
}

async function readSession(file: string): Promise<{ id: string; writtenAt: number } | undefined> {
  try {
    const { payload } = firstLine.parse(JSON.parse(await readFirstLine(file)));
    // That of an agent of its own is `{"subagent": …}`.
    if (typeof payload.source === "object") return undefined;
    return { id: payload.id, writtenAt: (await stat(file)).mtimeMs };
  } catch {
    return undefined; // It was removed, or is only being begun.
  }
}

/** It holds the instructions too, and may be long. */
async function readFirstLine(file: string): Promise<string> {
  // Leaving the loop closes the file.
  for await (const line of readLines(createReadStream(file))) return line;
  return "";
}
