import type { Look, Pane } from "./pane.js";
import { type Reading, readScreen } from "./read-screen.js";

/** Copy mode hides nothing from a capture; only keys are lost in it. */
export function throughCopyMode(pane: Pick<Pane, "rule">, { reading, screen }: Look): Reading {
  return reading.state === "copy-mode" ? readScreen(pane.rule, { ...screen, inMode: false }) : reading;
}
