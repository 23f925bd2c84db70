import type { TurnId } from "../../model/turn.js";
import type { TurnEnd } from "../../runtime/runtime.js";
import type { TurnLog } from "./turn-log.js";

/** By so much of their ends two texts are known to be the same one. */
const END = 200;

/** A turn that is ended by something else than itself. */
export type AbandonedTurn = {
  turn: TurnId | undefined;
  taken: boolean;
  /** Why the runtime could not give it to the agent. */
  refusal: string | undefined;
  /** What it had said and done by then. */
  said: ReturnType<TurnLog["read"]> | undefined;
};

type Told = Pick<TurnEnd, "text" | "usage" | "sessionUsage" | "context">;

/** What a turn came to: as its end tells, and where that tells nothing, as it was heard. */
export function sayAll(heard: ReturnType<TurnLog["read"]>, told: Told) {
  const { text, length } = heard;
  if (told.text === "") return { ...told, text, work: heard.work };
  const { cut: heardCut, ...work } = heard.work;
  const { text: _, ...others } = heardCut ?? {};
  // A runtime keeps only the end, too.
  const isEnd = length > told.text.length && text.endsWith(told.text.slice(-END));
  const cut = { ...others, ...(isEnd ? { text: length - told.text.length } : {}) };
  return { ...told, work: Object.keys(cut).length === 0 ? work : { ...work, cut } };
}
