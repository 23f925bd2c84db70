import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { HubError } from "../model/errors.js";

/** With this much to spare, nobody uses it up within so short a time. */
const PLENTY = 4 * 1024 ** 3;
const PLENTY_MS = 500;

/**
 * Refuses a batch while less than `reserve` bytes are free. Running into the end of the disk inside SQLite is safe but
 * can leave a commit's outcome unknown (the WAL index is written after the WAL); stopping a little earlier never does.
 */
export function createRoomCheck(file: string, reserve: number): () => void {
  const folder = dirname(file);
  let plentyAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - plentyAt < PLENTY_MS) return;
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    if (free >= reserve + PLENTY) plentyAt = now;
    if (free >= reserve) return;
    throw new HubError(
      "STORAGE_FULL",
      `The disk that holds ${folder} is full (${free} bytes free, ${reserve} needed); nothing was stored. ` +
        "Free some space and send it again.",
      { free, reserve },
    );
  };
}
