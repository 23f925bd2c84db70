import type { Delivery } from "./mail.js";

const ARRIVED: readonly string[] = ["offered", "injected", "seen", "finished", "answered"];

/** When it was handed to its reader, or undefined while it waits. What was taken back is not delivered. */
export function deliveredAt(delivery: Delivery | undefined): string | undefined {
  if (delivery === undefined) return undefined;
  const back = delivery.steps.findLastIndex(({ state }) => state === "accepted");
  const after = delivery.steps.slice(back + 1);
  const taken = after.find(({ state }) => state === "injected" || state === "seen");
  return (taken ?? after.find(({ state }) => ARRIVED.includes(state)))?.at;
}
