import type { Pane } from "../../src/runtime/tmux/pane.js";

/** The pane, at which something happens between our look and the nth key that we press. */
export function beforeEnter(pane: Pane, act: () => Promise<void>, nth = 1): Pane {
  const { sendKeyIf } = pane.tmux;
  let keys = 0;
  const held: typeof sendKeyIf = async (...args) => {
    keys += 1;
    if (keys === nth) await act();
    return sendKeyIf(...args);
  };
  return { ...pane, tmux: { ...pane.tmux, sendKeyIf: held } };
}
