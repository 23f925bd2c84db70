import type { Need, NeedAction } from "./top-state.js";

/** The keys of the desk, where it has one for the same. */
const keyOf: Readonly<Record<string, string>> = {
  once: "o",
  session: "s",
  always: "a",
  deny: "d",
  approve: "o",
  reject: "d",
  reply: "r",
  ack: "m",
  continue: "c",
  freeze: "f",
  stop: "x",
  kill: "x",
  attach: "t",
};

type KeyedAction = { key: string; action: NeedAction };

/** What can be done about it here: what the hub offers, as far as this program knows how. */
export function keyedActions({ actions }: Need): KeyedAction[] {
  return actions.flatMap((action) => {
    const key = keyOf[action.action];
    return key === undefined ? [] : [{ key, action }];
  });
}

/** What lets something happen: whoever presses it must have seen all of what they allow. */
const allows: ReadonlySet<string> = new Set(["once", "session", "always", "approve"]);

export function isAllowing({ action }: NeedAction): boolean {
  return allows.has(action);
}

/** What cannot be taken back, or holds for good, is asked once more. */
const grave: ReadonlySet<string> = new Set(["always", "kill", "stop", "freeze"]);

export function isGrave({ action }: NeedAction): boolean {
  return grave.has(action);
}
