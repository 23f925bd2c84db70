import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { type HubFile, readHubFile } from "../client/hub-file.js";
import { cannotUse, placePrivateFile } from "./private-file.js";

/** Tells clients where the hub answers. Only the holder of the lock may write it, once it listens. */
export function writeHubFile(file: string, { url, pid }: HubFile): void {
  try {
    placePrivateFile(file, `${JSON.stringify({ url, pid })}\n`, (fresh) => renameSync(fresh, file));
  } catch (error) {
    throw cannotUse(file, error);
  }
}

/**
 * Takes down what this process put up, before it lets go of the lock; a successor's file stays. One that cannot be removed
 * misleads nobody for long: whoever reads it asks the hub. So it is said, and keeps no hub from ending.
 */
export function removeHubFile(file: string, pid: number, onProblem: (problem: string) => void): void {
  try {
    if (readHubFile(file)?.pid === pid) rmSync(file, { force: true });
  } catch (error) {
    onProblem(`${file} could not be removed (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** How long clients may not find a hub whose file was removed or damaged. */
const LOOK_MS = 1000;

/** Writes it again when it is missing or damaged; that of another hub, or without the folder, is left alone. Returns how to stop. */
export function keepHubFile(file: string, hub: HubFile, onProblem: (error: unknown) => void): () => void {
  let isReported = false;
  const timer = setInterval(() => {
    try {
      if (!existsSync(dirname(file)) || readHubFile(file) !== undefined) return;
      writeHubFile(file, hub);
      isReported = false;
    } catch (error) {
      if (!isReported) onProblem(error);
      isReported = true;
    }
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
