/** When a message may start or cut a turn: never in which order it is read. */
export const attentions = ["interrupt", "queue", "fyi"] as const;
export type Attention = (typeof attentions)[number];
