import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { hub } from "../hub/hub.js";
import { useNeeds } from "../hub/use-hub.js";
import { mergeNeeds, SETTLED_STAYS_MS, type ShownNeed } from "./shown-needs.js";

/** Needs as the page shows them: what was settled stays in its place for a while. */
export function useShownNeeds() {
  const query = useNeeds();
  const items = query.data?.items;
  const [shown, setShown] = useState<readonly ShownNeed[]>([]);
  useEffect(() => {
    if (items === undefined) return;
    // Read here and not as React renders: that may be so much later that what was settled now would still be shown by then.
    const merge = (now: number) => setShown((before) => mergeNeeds(before, items, now));
    const now = performance.now();
    merge(now);
    const timer = window.setTimeout(() => merge(now + SETTLED_STAYS_MS), SETTLED_STAYS_MS);
    return () => window.clearTimeout(timer);
  }, [items]);
  return { ...query, shown };
}

const MOST_ANSWERED = 50;

/** What was answered lately, newest first. It is fetched again with the needs. */
export function useAnswered() {
  return useQuery({
    queryKey: ["needs", "answered"],
    queryFn: ({ signal }) => hub.answeredPermissions(MOST_ANSWERED, { signal }),
  });
}

/** So long a click does nothing after cards have moved: it was meant for what stood there before. */
const SETTLE_MS = 600;

/** Whether a click counts: not in the moment after the cards have moved under the pointer. */
export function useSteadyClicks(ids: string): () => boolean {
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const before = useRef(ids);
  if (before.current !== ids) {
    if (before.current !== "") movedAt.current = performance.now();
    before.current = ids;
  }
  return () => performance.now() - movedAt.current > SETTLE_MS;
}
