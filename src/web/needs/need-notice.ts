import { escapeShown } from "../parts/split-unsafe.js";
import type { Need } from "./shown-needs.js";

/** Those that were not there before. Nothing is new in the first list that a page gets. */
export function newNeeds(known: ReadonlySet<string> | undefined, items: readonly Need[]): readonly Need[] {
  return known === undefined ? [] : items.filter(({ id }) => !known.has(id));
}

const says: { readonly [K in Need["kind"]]: string } = {
  permission: "asks for a permission",
  dialog: "shows a dialog that only you can answer",
  budget: "A conversation or a budget waits for you",
  question: "wrote to you",
  bounce: "A message came back, or an agent failed",
  stalled: "has said nothing for a while",
  approval: "A step of a workflow waits for your approval",
  limit: "reached a usage limit",
};

/** A lock screen shows it to whoever stands there: who and what kind, not what they said. */
export function noticeWords({ kind, agent }: Pick<Need, "kind" | "agent">): string {
  const what = says[kind];
  const isSentence = what.startsWith("A ");
  return isSentence || agent === null ? what : `${escapeShown(agent)} ${what}`;
}
