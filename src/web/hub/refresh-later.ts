import type { QueryKey } from "@tanstack/react-query";
import { queries } from "./hub.js";

/*
 * Fetches again what events changed, at most so often: the first time at once, and once more at the end of each pause if there
 * was anything in it.
 */

const PAUSE_MS = 400;
const pending = new Map<string, { again: boolean }>();

export function refreshLater(queryKey: QueryKey): void {
  const name = JSON.stringify(queryKey);
  const waiting = pending.get(name);
  if (waiting !== undefined) {
    waiting.again = true;
    return;
  }
  const entry = { again: false };
  pending.set(name, entry);
  void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  window.setTimeout(() => {
    pending.delete(name);
    if (entry.again) refreshLater(queryKey);
  }, PAUSE_MS);
}
