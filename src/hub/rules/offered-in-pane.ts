import type { Delivery } from "../../views/delivery-row.js";

/**
 * Its pane was told that there is mail, or is about to be: the agent may not have had the message itself, and can read it
 * at once. Where the line held the whole message, the delivery leaves the inbox as soon as the pane took it.
 */
export function isOfferedInPane({ state, steps }: Delivery): boolean {
  return state === "offered" && steps.findLast((step) => step.state === "offered")?.route === "pane";
}
