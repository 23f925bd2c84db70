import { useMemo } from "react";
import { navigate, useHashLocation } from "wouter/use-hash-location";
import { type DeskPlace, deskPath, parseDeskPath } from "../../model/desk-link.js";

/** Where somebody looks. `home`: the beginning; on a phone that is the list of agents. */
export type Place = DeskPlace | { page: "home" } | { page: "nowhere"; path: string };

export function usePlace(): Place {
  const [path] = useHashLocation();
  return useMemo(() => readPlace(path), [path]);
}

function readPlace(path: string): Place {
  if (path === "/" || path === "/agents") return { page: "home" };
  return parseDeskPath(path) ?? { page: "nowhere", path };
}

export function goTo(place: Place, { replace = false }: { replace?: boolean } = {}): void {
  navigate(pathOf(place), { replace });
}

/** For a link. */
export function hrefOf(place: Place): string {
  return `#${pathOf(place)}`;
}

function pathOf(place: Place): string {
  if (place.page === "home") return "/";
  return place.page === "nowhere" ? place.path : deskPath(place);
}
