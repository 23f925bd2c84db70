import { useSyncExternalStore } from "react";

const narrow = window.matchMedia("(width < 720px)");

function subscribe(look: () => void): () => void {
  narrow.addEventListener("change", look);
  return () => narrow.removeEventListener("change", look);
}

/** One pane, and the navigation at the bottom. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
