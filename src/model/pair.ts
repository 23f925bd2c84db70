/** What the person can decide about one direction of a pair of agents. */
export const pairActions = ["pause", "resume", "reset"] as const;
export type PairAction = (typeof pairActions)[number];
