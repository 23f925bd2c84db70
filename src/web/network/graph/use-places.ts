import { useMemo } from "react";
import { create } from "zustand";
import { PERSON } from "../pair.js";
import { type Places, placeNodes } from "./place-nodes.js";

/** Kept while the page is open, so that going away and coming back finds everybody where they were. */
const usePlaceStore = create<{ generation: number }>(() => ({ generation: 0 }));
let places: Places = new Map();

/** Everybody is laid out anew. */
export function layOutAnew(): void {
  places = new Map();
  usePlaceStore.setState(({ generation }) => ({ generation: generation + 1 }));
}

/** Where these stand. Only newcomers change it. */
export function usePlaces(
  names: readonly string[],
  links: readonly { from: string; to: string }[],
  width: number | undefined,
): Places {
  const generation = usePlaceStore((state) => state.generation);
  const who = names.join(" ");
  return useMemo(() => {
    if (width === undefined || names.length === 0) return places;
    places = placeNodes(names, links, places, Math.max(320, width - 40), PERSON);
    return places;
    // What is written changes nothing of where they stand.
  }, [who, width === undefined, generation]);
}
