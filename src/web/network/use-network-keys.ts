import { useKeys } from "../shell/use-keys.js";

type NetworkKeys = {
  move: (step: 1 | -1) => void;
  openThread: () => void;
  pause: () => void;
  reset: () => void;
  freeze: () => void;
  goOn: () => void;
  changeView: () => void;
  closeThread: (() => void) | undefined;
};

/** A key that is held down is one press: nothing is paused and resumed by it. */
const once = (act: () => void) => (event: KeyboardEvent) => {
  if (!event.repeat) act();
};

export function useNetworkKeys(acts: NetworkKeys): void {
  const { closeThread } = acts;
  const open = (event: KeyboardEvent) => {
    const { target } = event;
    // On a button or a link Enter presses that; on the row of a pair it opens.
    if (target instanceof HTMLElement && target.matches("button:not(.pair__pick, .network-list__pick), a"))
      return target.click();
    acts.openThread();
  };
  useKeys("Network", [
    { keys: "k", label: "pair", pair: "j", act: () => acts.move(-1) },
    { keys: "j", label: "next pair", quiet: true, act: () => acts.move(1) },
    { keys: "Enter", label: "open thread", act: open },
    { keys: "p", label: "pause pair", act: once(acts.pause) },
    { keys: "b", label: "reset backoff", act: once(acts.reset) },
    { keys: "f", label: "freeze", act: once(acts.freeze) },
    { keys: "c", label: "continue the conversation", quiet: true, act: once(acts.goOn) },
    { keys: "v", label: "table, graph", act: once(acts.changeView) },
    ...(closeThread === undefined
      ? []
      : [{ keys: "Escape", label: "close the thread", quiet: true, act: closeThread }]),
  ]);
}
