/**
 * Why mail is held back, as people are shown it: what keeps a delivery from being read, or `away`: its reader is not there, is
 * paused or at a limit.
 */
export const heldReasons = ["cooldown", "budget", "backstop", "paused", "away"] as const;
export type HeldReason = (typeof heldReasons)[number];
