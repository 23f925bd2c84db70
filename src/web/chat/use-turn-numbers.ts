import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { hub } from "../hub/hub.js";
import type { TurnShown } from "./turn/turn-shown.js";

/** How many turns an agent has ended, as of one of them: the hub counts them with what they used. */
export type TurnCount = { turn: string; count: number };

export function useTurnCount(id: string, newestEnded: string | undefined): TurnCount | undefined {
  const { data } = useQuery({
    queryKey: ["usage", "turns", id, newestEnded],
    queryFn: async ({ signal }) => {
      const { usage } = await hub.usage({ by: "agent", limit: 500 }, { signal });
      const row = usage.find(({ key }) => key === id);
      return row === undefined || newestEnded === undefined ? null : { turn: newestEnded, count: row.turns };
    },
    enabled: newestEnded !== undefined,
    placeholderData: keepPreviousData,
  });
  return data ?? undefined;
}

/** The number of each turn, oldest first; none where it is not known. */
export function numberTurns(
  sorted: readonly TurnShown[],
  count: TurnCount | undefined,
): (number | undefined)[] {
  const at = count === undefined ? -1 : sorted.findIndex(({ turn }) => turn === count.turn);
  return sorted.map((_, index) => (count === undefined || at === -1 ? undefined : count.count + index - at));
}
