import { create } from "zustand";
import { forgetAgents } from "./agent-store.js";
import { setPlace, takeEvent } from "./apply-events.js";
import { openBrowserSocket } from "./browser-socket.js";
import { setConnection } from "./connection.js";
import { followJournal } from "./event-feed.js";
import { hub, queries } from "./hub.js";
import { closeLive } from "./live-feed.js";
import { keepAgentsFresh, loadAgents } from "./load-agents.js";
import { forgetMail } from "./mail-changes.js";
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
    const health = await hub.health({ signal });
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
    await loadAgents(signal);
    keepAgentsFresh(signal);
    void flush();
  } catch (error) {
    if (!signal.aborted) useStart.setState({ start: { kind: "failed", error } });
  }
}

/** What the page knows may be wrong. */
function refetchAll(): void {
  forgetMail();
  void loadAgents().catch(() => {});
  void queries.invalidateQueries();
}
