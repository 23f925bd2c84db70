import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { currentPlace } from "./apply-events.js";
import type { HistoryMessage, HistoryPage } from "./history.js";
import { hub } from "./hub.js";
import { withWhatCameSince } from "./mail-changes.js";
import { useAgentId } from "./use-agents.js";

type Place = { before?: number; after?: number };

const PAGE = 50;
/** More than these are not what just came, which the page hears of by itself. */
const FEW_BEHIND = 1000;
const AGAIN_MS = 1000;
const newestEnd: Place = {};

/**
 * What an agent sent and got, newest first. `around`: the `seq` of a message to begin at, with what is before it; what is after
 * it comes with `fetchPreviousPage`. New messages and receipts come by themselves. `user` is the person's own.
 */
export function useAgentMessages(nameOrId: string, { around }: { around?: number | undefined } = {}) {
  const party = useAgentId(nameOrId) ?? (nameOrId === "user" ? "human" : nameOrId);
  const query = useInfiniteQuery({
    queryKey: ["messages", party, around ?? "newest"],
    initialPageParam: around === undefined ? newestEnd : { before: around + 1 },
    queryFn: ({ pageParam, signal }) => fetchPage(party, pageParam, signal),
    getNextPageParam: ({ older }): Place | undefined => (older === null ? undefined : { before: older }),
    getPreviousPageParam: ({ newer }): Place | undefined => (newer === null ? undefined : { after: newer }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.isPartial) === true ? AGAIN_MS : false,
  });
  const { data } = query;
  const messages = useMemo<readonly HistoryMessage[]>(
    () => data?.pages.flatMap((page) => page.messages) ?? [],
    [data],
  );
  const isPartial = data?.pages.some((page) => page.isPartial) ?? false;
  return { ...query, messages, isPartial };
}

async function fetchPage(party: string, place: Place, signal: AbortSignal): Promise<HistoryPage> {
  const asked = currentPlace();
  const { messages, next, behind } = await hub.history(party, { ...place, limit: PAGE }, { signal });
  const isPartial = behind > FEW_BEHIND;
  if (place.after !== undefined) {
    const page = { messages: messages.toReversed(), older: null, newer: next, isPartial };
    return next === null ? withWhatCameSince(page, party, asked) : page;
  }
  const newer = place.before === undefined ? null : place.before - 1;
  return withWhatCameSince({ messages, older: next, newer, isPartial }, party, asked);
}

/** An agent's turns, newest first, the open one among them. By id or address. */
export function useTurns(nameOrId: string) {
  const id = useAgentId(nameOrId) ?? nameOrId;
  return useInfiniteQuery({
    queryKey: ["turns", id],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      hub.turns(id, { limit: 20, ...(pageParam === "" ? {} : { before: pageParam }) }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    // All of them are fetched again when a turn ends.
    maxPages: 10,
  });
}

/** One message with its receipts. */
export function useMessage(id: string | undefined) {
  return useQuery({
    queryKey: ["message", id],
    queryFn: ({ signal }) => hub.messageStatus(id ?? "", { signal }),
    enabled: id !== undefined,
  });
}

/** The messages that answer each other, oldest first. */
export function useThread(id: string | undefined) {
  return useQuery({
    queryKey: ["thread", id],
    queryFn: ({ signal }) => hub.thread(id ?? "", { signal }),
    enabled: id !== undefined,
  });
}
