import { useEffect, useRef } from "react";
import { create } from "zustand";
import { goTo, type Place } from "./places.js";

/* A dialog of a page that is asked for elsewhere: the page opens it once it is there. */

export type PageWish = "run-workflow" | "post-request";

const useWish = create<{ wish: PageWish | undefined }>(() => ({ wish: undefined }));

export function goToDialog(place: Place, wish: PageWish): void {
  goTo(place);
  useWish.setState({ wish });
}

/** Calls `open` for the wish that this page fulfils. */
export function usePageWish(own: PageWish, open: () => void): void {
  const isWished = useWish(({ wish }) => wish === own);
  const newest = useRef(open);
  newest.current = open;
  useEffect(() => {
    if (!isWished) return;
    useWish.setState({ wish: undefined });
    newest.current();
  }, [isWished]);
}
