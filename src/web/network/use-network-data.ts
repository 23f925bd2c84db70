import { useMemo } from "react";
import { findPingPongs, findRings, keepOrder } from "./network-model.js";
import { pairKey } from "./pair.js";
import { type Conversation, type Pair, useConversations, useHeld, usePairs } from "./use-network.js";

const noPairs: readonly Pair[] = [];
const noConversations: readonly Conversation[] = [];

/** All that the page shows, in an order that stays while it is open. */
export function useNetworkData() {
  const network = usePairs();
  const held = useHeld();
  const talks = useConversations();
  const pairs = useSteadyOrder("pairs", network.data?.pairs ?? noPairs, pairKey);
  const conversations = useSteadyOrder("conversations", talks.data ?? noConversations, idOf);
  const pingPongs = useMemo(() => findPingPongs(pairs), [pairs]);
  const rings = useMemo(() => findRings(conversations, pairs), [conversations, pairs]);
  return {
    network: network.data,
    /** When the pairs were fetched. */
    at: network.dataUpdatedAt,
    pairs,
    held: held.data,
    conversations,
    hasConversations: talks.data !== undefined,
    pingPongs,
    rings,
    error: network.error,
    retry: () => void network.refetch(),
  };
}

function idOf({ id }: Conversation): string {
  return id;
}

/** Of each list, for as long as the desk is open: going away and coming back moves nothing either. */
const orders = new Map<string, readonly string[]>();

function useSteadyOrder<T>(list: string, all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  return useMemo(() => {
    const byKey = new Map(all.map((one) => [keyOf(one), one]));
    const order = keepOrder(orders.get(list) ?? [], [...byKey.keys()]);
    // Nothing is known yet, or for a moment: what was there may come back.
    if (all.length > 0) orders.set(list, order);
    return order.flatMap((key) => byKey.get(key) ?? []);
  }, [list, all, keyOf]);
}
