import { hasBegun, type Step } from "./step-look.js";

export type EdgeLook = "gone" | "open" | "broken";

/** `gone`: the way that the workflow took; `broken`: a failure keeps it from going on; `open`: neither, or not yet. */
export function edgeLook(from: Pick<Step, "status">, to: Pick<Step, "status">): EdgeLook {
  if (hasBegun(to)) return "gone";
  const isBad = from.status === "failed" || from.status === "blocked" || from.status === "cancelled";
  return isBad && (to.status === "blocked" || to.status === "pending") ? "broken" : "open";
}
