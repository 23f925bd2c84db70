import { useQuery } from "@tanstack/react-query";
import { hub } from "./hub.js";

/** All that waits for the person, the oldest deadline first as the hub gives it. */
export function useNeeds() {
  return useQuery({
    queryKey: ["needs"],
    queryFn: ({ signal }) => hub.needsYou({ signal }),
    // Stalls and deadlines come without an event.
    refetchInterval: 20_000,
  });
}

/** Renders when the number changes only. Undefined until it is known. */
export function useNeedsCount(): number | undefined {
  const { data } = useQuery({
    queryKey: ["needs"],
    queryFn: ({ signal }) => hub.needsYou({ signal }),
    select: ({ items }) => items.length,
  });
  return data;
}

export function useHealth() {
  return useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => hub.health({ signal }),
    refetchInterval: 30_000,
  });
}

/** The hub in figures, with what is wrong. `isWatched`: somebody looks at the figures themselves, of which no event tells. */
export function useHealthDetails({ isWatched = false } = {}) {
  return useQuery({
    queryKey: ["health-details"],
    queryFn: ({ signal }) => hub.healthDetails({ signal }),
    refetchInterval: isWatched ? 5_000 : 30_000,
  });
}

/** Renders when the number changes only. */
export function useProblemCount(): number {
  const { data } = useQuery({
    queryKey: ["health-details"],
    queryFn: ({ signal }) => hub.healthDetails({ signal }),
    select: ({ problems }) => problems.length,
    refetchInterval: 30_000,
  });
  return data ?? 0;
}
