import { closeSync, openSync } from "node:fs";
import { tooFewHandles } from "../client/storage-advice.js";

const LOOK_MS = 1000;

/**
 * Tries now and then whether a file can still be opened. A hub without handles drops new connections before it could
 * answer them, and nothing else would say why. Returns how to stop.
 */
export function watchHandles(
  folder: string,
  tell: (problem: ReturnType<typeof tooFewHandles>) => void,
): () => void {
  const timer = setInterval(() => tell(look(folder)), LOOK_MS).unref();
  return () => clearInterval(timer);
}

function look(folder: string) {
  try {
    closeSync(openSync(folder, "r"));
    return undefined;
  } catch (error) {
    return tooFewHandles(error);
  }
}
