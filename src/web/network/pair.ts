import type { Pair } from "./use-network.js";

/* What is known of a pair by itself: the chat uses it, too. */

/** The person, as the hub names them. */
export const PERSON = "user";

export function pairKey({ from, to }: Pick<Pair, "from" | "to">): string {
  return `${from} ${to}`;
}

/** Near its cap: seven of ten. */
export function isNearCap({ cap, sent_last_minute }: Pick<Pair, "cap" | "sent_last_minute">): boolean {
  return cap !== null && sent_last_minute >= cap * 0.7;
}
