import { useQuery } from "@tanstack/react-query";
import type { ConversationList, HeldList, PairList } from "../../client/hub-client.js";
import { hub } from "../hub/hub.js";

/* What the network is made of, fetched again when events tell of a change: at most 2.5 times a second. */

export type Pair = PairList["pairs"][number];
export type HeldMessage = HeldList["held"][number];
export type Conversation = ConversationList["conversations"][number];

/** Minutes pass and cooldowns end without an event. */
const PASSES_MS = 10_000;
const MOST_HELD = 50;
const MOST_CONVERSATIONS = 50;

/** Who writes to whom. `enabled`: whether anybody looks. */
export function usePairs() {
  return useQuery({
    queryKey: ["network", "pairs"],
    queryFn: ({ signal }) => hub.pairs({ signal }),
    refetchInterval: PASSES_MS,
  });
}

export function useHeld() {
  return useQuery({
    queryKey: ["network", "held"],
    queryFn: ({ signal }) => hub.held({ limit: MOST_HELD }, { signal }),
    refetchInterval: PASSES_MS,
  });
}

/** Those that wait for the person, and those in which something was written lately. */
export function useConversations() {
  return useQuery({
    queryKey: ["network", "conversations"],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        (["paused", "open"] as const).map((state) =>
          hub.conversations({ state, limit: MOST_CONVERSATIONS }, { signal }),
        ),
      );
      return lists.flatMap(({ conversations }) => conversations);
    },
  });
}

/** One of them, whatever its state; null where nobody has answered in it yet. */
export function useConversation(id: string | null) {
  return useQuery({
    queryKey: ["network", "conversation", id],
    queryFn: async ({ signal }) => {
      const { conversations } = await hub.conversations({ id: id ?? "" }, { signal });
      return conversations[0] ?? null;
    },
    enabled: id !== null,
  });
}
