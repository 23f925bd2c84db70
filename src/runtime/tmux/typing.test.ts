import { afterEach, expect, test, vi } from "vitest";
import type { Pane } from "./pane.js";
import { readTyping } from "./typing.js";

const NOW = 1_800_000_000;

afterEach(() => void vi.useRealTimers());

/** What tmux lists of a pane `%1` that is shown by one session, in seconds before now. */
async function typingAt({ key, drawn, watched = 1 }: { key: number; drawn: number; watched?: number }) {
  vi.useFakeTimers({ now: NOW * 1000 });
  const listed = `%1 $0 ${NOW - key} ${watched} ${NOW - drawn}\n%2 $1 ${NOW} 1 ${NOW}\n`;
  const tmux = { run: () => Promise.resolve(listed) };
  return readTyping({ tmux, id: "%1" } as unknown as Pane);
}

test.each([
  ["a key a second ago", { key: 1, drawn: 0 }, false],
  ["a key that the CLI has shown since", { key: 2, drawn: 2 }, true],
  [
    "a key since which the CLI has drawn nothing: it may hang, and not have read it",
    { key: 9, drawn: 10 },
    false,
  ],
  ["such a key that is long ago: it may be one that shows nothing", { key: 10, drawn: 60 }, true],
  ["a key of a terminal that is gone", { key: 0, drawn: 60, watched: 0 }, true],
] as const)("%s", async (_, seen, quiet) => {
  expect(await typingAt(seen)).toEqual({ sessions: [{ id: "$0", at: String(NOW - seen.key) }], quiet });
});
