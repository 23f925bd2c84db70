import { type MouseEvent, use } from "react";
import { NeedContext } from "./need-card.js";
import { steady } from "./use-act.js";

/** What a card's buttons need: clicks that count only when they were meant, and whether anything can be sent. */
export function useSteady(): { click: (act: () => void) => (event: MouseEvent) => void; canAct: boolean } {
  const { isSteady, canAct } = use(NeedContext);
  return { click: (act) => steady(isSteady, act), canAct };
}
