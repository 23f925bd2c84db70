import { useQuery } from "@tanstack/react-query";
import { useShallow } from "zustand/react/shallow";
import { hub } from "./hub.js";
import { type Outgoing, sendLetter, useOutbox } from "./outbox.js";

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

/** What asked permission, with what it is about. */
export function usePermissions() {
  return useQuery({
    queryKey: ["needs", "permissions"],
    queryFn: ({ signal }) => hub.permissions({ signal }),
  });
}

/** Puts a message into the outbox; what is still there is beside it, oldest first. */
export function useSend(to: string | null): { send: typeof sendLetter; outgoing: readonly Outgoing[] } {
  const outgoing = useOutbox(useShallow(({ items }) => items.filter((item) => item.to === to)));
  return { send: sendLetter, outgoing };
}
