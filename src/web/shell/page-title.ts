import { useEffect } from "react";
import { create } from "zustand";
import { useNeedsCount } from "../hub/use-hub.js";

const usePageTitle = create<{ title: string }>(() => ({ title: "" }));

/** What the tab of the browser says: the page, how many things wait for the person, and the program. */
export function useTitle(title: string): void {
  useEffect(() => {
    usePageTitle.setState({ title });
    return () => usePageTitle.setState({ title: "" });
  }, [title]);
}

export function useTabBadge(): void {
  const title = usePageTitle((state) => state.title);
  const count = useNeedsCount() ?? 0;
  useEffect(() => {
    const words = [title, "huddle"].filter((word) => word !== "").join(" · ");
    document.title = count === 0 ? words : `(${count}) ${words}`;
  }, [title, count]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) icon.href = count === 0 ? plainIcon : badgedIcon;
  }, [count]);
}

const plainIcon = new URL("../favicon.svg", import.meta.url).href;
const badgedIcon = new URL("../favicon-needs.svg", import.meta.url).href;
