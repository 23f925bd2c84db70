import { HubError } from "../model/errors.js";
import { retry } from "../model/retry.js";
import type { After } from "./timers.js";

const RETRY_MS = 1000;

/**
 * Journals what has happened outside and cannot be refused, such as the end of a turn: while the disk is full it is tried
 * again, since nobody else would tell it.
 */
export function createStoreForSure(after: After) {
  return <T>(store: () => Promise<T>): Promise<T> =>
    retry(store, {
      firstMs: RETRY_MS,
      mostMs: RETRY_MS,
      pauseAfter: (error, { usualMs }) =>
        error instanceof HubError && error.code === "STORAGE_FULL" ? usualMs : undefined,
      wait: (ms) => new Promise((again) => after(ms, again)),
    });
}
