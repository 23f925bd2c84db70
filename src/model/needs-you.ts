/** What can wait for the person. `approval` is reserved for steps of workflows. */
export const needKinds = [
  "permission",
  "dialog",
  "budget",
  "question",
  "bounce",
  "stalled",
  "approval",
  "limit",
] as const;
export type NeedKind = (typeof needKinds)[number];
