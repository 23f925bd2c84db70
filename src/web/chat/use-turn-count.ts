import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { hub } from "../hub/hub.js";
import type { TurnCount } from "./turn/number-turns.js";

/** How many turns an agent has had, where not all of them are here: the hub counts them with what they used. */
export function useTurnCount(
  id: string,
  newestEnded: string | undefined,
  isNeeded: boolean,
): TurnCount | undefined {
  const { data } = useQuery({
    queryKey: ["usage", "turns", id, newestEnded],
    queryFn: async ({ signal }) => {
      const { usage } = await hub.usage({ by: "agent", limit: 500 }, { signal });
      const row = usage.find(({ key }) => key === id);
      return row === undefined || newestEnded === undefined ? null : { turn: newestEnded, count: row.turns };
    },
    enabled: isNeeded && newestEnded !== undefined,
    placeholderData: keepPreviousData,
  });
  return data ?? undefined;
}
