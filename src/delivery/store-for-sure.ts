import { HubError } from "../model/errors.js";
import type { After } from "./timers.js";

const RETRY_MS = 1000;

/**
 * Journals what has happened outside and cannot be refused, such as the end of a turn: while the disk is full it is tried
 * again, since nobody else would tell it.
 */
export function createStoreForSure(after: After) {
  return async function storeForSure<T>(store: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await store();
      } catch (error) {
        if (!(error instanceof HubError) || error.code !== "STORAGE_FULL") throw error;
        await new Promise<void>((again) => after(RETRY_MS, again));
      }
    }
  };
}
