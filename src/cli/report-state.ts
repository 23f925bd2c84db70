import type { StreamState } from "../client/keep-following.js";
import { escapeLine } from "./escape-text.js";
import type { Output } from "./output.js";

/** Says once that the connection is gone, and once that it is back. */
export function reportState(output: Output): (state: StreamState) => void {
  let away = false;
  return (state) => {
    if (state.kind === "live") {
      if (away) output.note("Connected again.");
      away = false;
    } else if (!away) {
      away = true;
      output.note(`${escapeLine(state.because.message)}; reconnecting…`);
    }
  };
}
