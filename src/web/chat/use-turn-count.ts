import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { hub } from "../hub/hub.js";
import type { TurnCount } from "./turn/number-turns.js";

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
