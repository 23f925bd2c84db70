import type { TurnShown } from "./turn-shown.js";

/** How many turns an agent has ended, as of one of them: the hub counts them with what they used. */
export type TurnCount = { turn: string; count: number };

/** The number of each turn, oldest first; none where it is not known. */
export function numberTurns(
  sorted: readonly TurnShown[],
  count: TurnCount | undefined,
): (number | undefined)[] {
  const at = count === undefined ? -1 : sorted.findIndex(({ turn }) => turn === count.turn);
  return sorted.map((_, index) => (count === undefined || at === -1 ? undefined : count.count + index - at));
}
