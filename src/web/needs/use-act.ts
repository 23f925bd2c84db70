import { type MouseEvent, useState } from "react";
import { refreshLater } from "../hub/refresh-later.js";

/*
 * One thing at a time is done about a need: nothing yet, something under way, done, or refused. Once something was done about
 * it, nothing else can be: its id is used up.
 */
export type ActState =
  | { kind: "rest" }
  | { kind: "working"; what: string }
  | { kind: "done"; what: string }
  | { kind: "failed"; what: string; error: unknown };

export type Act = {
  state: ActState;
  isBusy: boolean;
  /** Whether this is what is under way. */
  isWorking: (what: string) => boolean;
  run: (what: string, call: () => Promise<unknown>, options?: { stays?: boolean }) => Promise<boolean>;
};

export function useAct(): Act {
  const [state, setState] = useState<ActState>({ kind: "rest" });
  return {
    state,
    isBusy: state.kind === "working" || state.kind === "done",
    isWorking: (what) => (state.kind === "working" || state.kind === "done") && state.what === what,
    async run(what, call, { stays = false } = {}) {
      setState({ kind: "working", what });
      try {
        await call();
        setState(stays ? { kind: "rest" } : { kind: "done", what });
        return true;
      } catch (error) {
        setState({ kind: "failed", what, error });
        return false;
      } finally {
        refreshLater(["needs"]);
      }
    },
  };
}

/** A click that counts: not one that was meant for the card that stood here a moment ago. Keys always count. */
export function steady(isSteady: () => boolean, act: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail === 0 || isSteady()) act();
  };
}
