import { create } from "zustand";

/*
 * How much came into each agent's chat since the person last looked at it: messages to and from it that the person did not
 * write, and ends of its turns. Kept for this tab, over reloads.
 */

const KEY = "huddle.unread";

type Unread = { counts: Readonly<Record<string, number>>; looked: string | undefined };

const useUnreadStore = create<Unread>(() => ({ counts: readKept(), looked: undefined }));

/** One more for each, but for the one that is looked at. */
export function addUnread(ids: readonly string[]): void {
  const { counts, looked } = useUnreadStore.getState();
  const isSeen = (id: string) => id === looked && document.visibilityState === "visible";
  const news = ids.filter((id) => !isSeen(id));
  if (news.length === 0) return;
  const next = { ...counts };
  for (const id of news) next[id] = Math.min((next[id] ?? 0) + 1, 999);
  keep(next);
}

/** The person looks at this agent's chat now, or at nobody's. */
export function lookAt(id: string | undefined): void {
  useUnreadStore.setState({ looked: id });
  if (id !== undefined) forgetUnread(id);
}

function forgetUnread(id: string): void {
  const { [id]: before, ...counts } = useUnreadStore.getState().counts;
  if (before !== undefined) keep(counts);
}

export function useUnread(id: string): number {
  return useUnreadStore(({ counts }) => counts[id] ?? 0);
}

/** The next agent after this one, in the order of the list, that has something unread. */
export function nextUnread(ids: readonly string[], after: string | undefined): string | undefined {
  const { counts } = useUnreadStore.getState();
  const from = after === undefined ? 0 : ids.indexOf(after) + 1;
  const inOrder = [...ids.slice(from), ...ids.slice(0, from)];
  return inOrder.find((id) => (counts[id] ?? 0) > 0);
}

function keep(counts: Readonly<Record<string, number>>): void {
  useUnreadStore.setState({ counts });
  window.sessionStorage.setItem(KEY, JSON.stringify(counts));
}

function readKept(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, count]) => typeof count === "number"));
  } catch {
    return {};
  }
}
