import { expect, test } from "vitest";
import { openPane } from "../../../test/fakes/scripted-pane.js";
import { look, type Pane, shownOn } from "./pane.js";
import { waitReady } from "./wait-ready.js";

const timeout = 120_000;

/** The same pane, and how often it was looked at. */
function counted(pane: Pane): { pane: Pane; looks: () => number } {
  let looks = 0;
  const capture: Pane["tmux"]["capture"] = (...args) => {
    looks += 1;
    return pane.tmux.capture(...args);
  };
  return { pane: { ...pane, tmux: { ...pane.tmux, capture } }, looks: () => looks };
}

test("ready means twice: one look is enough only where it has looked the same for a while", {
  timeout,
}, async () => {
  const agent = await openPane("claude");
  const shown = shownOn(await look(agent.pane));
  const looksWith = async (since: number | undefined, as = shown) => {
    const { pane, looks } = counted(agent.pane);
    await waitReady(pane, since === undefined ? {} : { wasReady: { shown: as, since } });
    return looks();
  };
  expect(await looksWith(undefined)).toBe(2);
  expect(await looksWith(performance.now() + 1000)).toBe(2);
  expect(await looksWith(0)).toBe(1);
  // Seen just before: that was the first look, also where it was drawn on since.
  expect(await looksWith(performance.now() - 1)).toBe(1);
  expect(await looksWith(performance.now() - 1, "something else")).toBe(1);
  expect(await looksWith(0, "something else")).toBe(2);
});
