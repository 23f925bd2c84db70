import type { Pane } from "../../src/runtime/tmux/pane.js";

/** The pane, at which something happens between our look and the first key that we press. */
export function beforeEnter(pane: Pane, act: () => Promise<void>): Pane {
  const { sendKeyIf } = pane.tmux;
  let wait: () => Promise<void> = act;
  const held: typeof sendKeyIf = async (...args) => {
    const now = wait;
    wait = async () => {};
    await now();
    return sendKeyIf(...args);
  };
  return { ...pane, tmux: { ...pane.tmux, sendKeyIf: held } };
}
