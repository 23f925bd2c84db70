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
  // An answer that is under way may be older than what the event told: it is asked for once more, behind it.
  const isUnderWay = queries.isFetching({ queryKey }) > 0;
  void queries.invalidateQueries({ queryKey }, { cancelRefetch: false }).then(() => {
    if (isUnderWay) refreshLater(queryKey);
  });
  window.setTimeout(() => {
    pending.delete(name);
    if (entry.again) refreshLater(queryKey);
  }, PAUSE_MS);
}
