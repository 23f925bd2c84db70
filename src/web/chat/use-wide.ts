import { useSyncExternalStore } from "react";

const wide = window.matchMedia("(width >= 1100px)");

function subscribe(look: () => void): () => void {
  wide.addEventListener("change", look);
  return () => wide.removeEventListener("change", look);
}

/** There is room for details beside the page. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
