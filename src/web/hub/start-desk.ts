import { create } from "zustand";
import { forgetAgents } from "./agent-store.js";
import { setPlace, takeEvent } from "./apply-events.js";
import { openBrowserSocket } from "./browser-socket.js";
import { setConnection } from "./connection.js";
import { followJournal } from "./event-feed.js";
import { hub, passesByItself, queries } from "./hub.js";
import { closeLive } from "./live-feed.js";
import { keepAgentsFresh, loadAgents } from "./load-agents.js";
import { forgetMail, startFollowersOver } from "./mail-changes.js";
import { loadMailRate } from "./mail-rate.js";
import { flush } from "./outbox.js";

/*
 * The page asks first how far the journal is, follows it from there, and fetches everything else afterwards: whatever a fetch
 * does not show yet comes as an event.
 */
export type Start = { kind: "starting" } | { kind: "failed"; error: unknown } | { kind: "started" };

export const useStart = create<{ start: Start }>(() => ({ start: { kind: "starting" } }));

/** Gives what ends it. */
export function startDesk(): () => void {
  const stop = new AbortController();
  useStart.setState({ start: { kind: "starting" } });
  setConnection({ kind: "connecting" });
  void start(stop.signal);
  return () => {
    stop.abort();
    closeLive();
    queries.clear();
    forgetMail();
    forgetAgents();
  };
}

async function start(signal: AbortSignal): Promise<void> {
  try {
    const health = await persist(
      () => hub.health({ signal }),
      signal,
      (error) => useStart.setState({ start: { kind: "failed", error } }),
    );
    queries.setQueryData(["health"], health);
    setPlace(health.journal.seq);
    void followJournal({
      open: openBrowserSocket,
      newest: async () => (await hub.health({ signal })).journal.seq,
      after: health.journal.seq,
      onEvent: takeEvent,
      onGap: refetchAll,
      signal,
    });
    useStart.setState({ start: { kind: "started" } });
    await persist(() => loadAgents(signal), signal);
    keepAgentsFresh(signal);
    // Only a figure in the sidebar: without it the desk works as well.
    void loadMailRate(signal).catch(() => {});
    void flush();
  } catch (error) {
    if (!signal.aborted) useStart.setState({ start: { kind: "failed", error } });
  }
}

const AGAIN_MS = 2_000;

/** Until it works: a hub that is away may come back. What it refuses stays refused. */
async function persist<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void = () => {},
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !passesByItself(error)) throw error;
      onFailure(error);
      await new Promise((resolve) => window.setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** What the page knows may be wrong. */
function refetchAll(): void {
  forgetMail();
  void loadAgents().catch(() => {});
  void queries.invalidateQueries();
  startFollowersOver();
}
