import { useState } from "react";

export type NetworkView = "both" | "table" | "graph";

const KEPT = "huddle.network-view";
const views: readonly NetworkView[] = ["both", "table", "graph"];

/** Narrower than this, as on a phone or beside a thread, there is room for one of the two. */
const BOTH_FROM = 1000;

/** What is shown of the network in a page of this width. */
export function useNetworkView(width: number | undefined) {
  const isNarrow = width !== undefined && width < BOTH_FROM;
  const [wanted, setWanted] = useState<NetworkView>(
    () => views.find((view) => view === window.sessionStorage.getItem(KEPT)) ?? "both",
  );
  const setView = (view: NetworkView) => {
    window.sessionStorage.setItem(KEPT, view);
    setWanted(view);
  };
  const view = isNarrow && wanted === "both" ? "table" : wanted;
  const choices = isNarrow ? views.slice(1) : views;
  return {
    view,
    choices,
    setView,
    nextView: () => setView(choices[(choices.indexOf(view) + 1) % choices.length] ?? "both"),
  };
}
