import type { KeyBinding } from "./keys.js";

/*
 * The keys of every page, for the list of all keys: a page that is not open has registered none. A page's own name heads them, as in
 * its `useKeys`; `test/browser/palette.test.ts` compares the two.
 */

type ListedKey = Pick<KeyBinding, "keys" | "label" | "pair">;

export const pageKeys: { readonly [page: string]: readonly ListedKey[] } = {
  Chat: [
    { keys: "k", pair: "j", label: "message" },
    { keys: "r", label: "reply" },
    { keys: "t", label: "thread" },
    { keys: "e", label: "receipt" },
    { keys: "y", label: "copy" },
    { keys: "i", label: "write" },
  ],
  "Needs you": [
    { keys: "k", pair: "j", label: "item" },
    { keys: "o", label: "allow once" },
    { keys: "s", label: "session" },
    { keys: "a", label: "always" },
    { keys: "d", label: "deny" },
    { keys: "Enter", label: "open" },
    { keys: "r", label: "reply" },
  ],
  Network: [
    { keys: "k", pair: "j", label: "pair" },
    { keys: "Enter", label: "open thread" },
    { keys: "p", label: "pause pair" },
    { keys: "b", label: "reset backoff" },
    { keys: "f", label: "freeze" },
    { keys: "c", label: "continue the conversation" },
    { keys: "v", label: "table, graph" },
  ],
  Requests: [
    { keys: "k", pair: "j", label: "request" },
    { keys: "l", pair: "h", label: "column" },
    { keys: "Enter", label: "open" },
    { keys: "m", label: "nudge" },
    { keys: "c", label: "post" },
    { keys: "t", label: "claim" },
    { keys: "a", label: "answer" },
    { keys: "x", label: "show expired" },
  ],
  Workflows: [
    { keys: "k", pair: "j", label: "step" },
    { keys: "Enter", label: "open" },
    { keys: "a", label: "approve" },
    { keys: "d", label: "reject" },
    { keys: "R", label: "retry from here" },
    { keys: "i", label: "give to another agent" },
    { keys: "v", label: "graph, timeline" },
    { keys: "x", label: "failed only" },
    { keys: "]", pair: "[", label: "newer, older run" },
    { keys: "c", label: "run a workflow" },
    { keys: "X", label: "cancel the workflow" },
  ],
  Log: [
    { keys: "k", pair: "j", label: "row" },
    { keys: "PageUp", pair: "PageDown", label: "page" },
    { keys: "End", pair: "Home", label: "newest, oldest row" },
    { keys: "Enter", label: "open" },
    { keys: "/", label: "search" },
    { keys: "Space", label: "pause tail" },
    { keys: "t", label: "thread" },
    { keys: "y", label: "copy" },
    { keys: "E", label: "export" },
  ],
  Health: [
    { keys: "r", label: "check again" },
    { keys: "y", label: "copy report" },
  ],
};
