/** What can wait for the person. `approval`: a step of a workflow. */
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
