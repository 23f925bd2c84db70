import { useEffect } from "react";
import { create } from "zustand";
import { followLive } from "../../client/live-stream.js";
import { openBrowserSocket } from "./browser-socket.js";
import { advanceLiveTurn, type LiveTurn } from "./live-turn.js";

/*
 * The live output of the agents that somebody looks at: one socket for each, opened with the first who looks and closed a
 * moment after the last. Turns are by agent id, so that a rename changes nothing.
 */

const useLiveTurns = create<{ turns: Readonly<Record<string, LiveTurn | undefined>> }>(() => ({
  turns: {},
}));

/** Going from one page to another and back should not open a new one each time. */
const LINGER_MS = 2_000;

type Watch = { lookers: number; stop: AbortController; timer: number | undefined };
const watches = new Map<string, Watch>();

/** Gives what ends it. */
function watchLive(id: string): () => void {
  const watch = watches.get(id) ?? begin(id);
  watch.lookers += 1;
  window.clearTimeout(watch.timer);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    watch.lookers -= 1;
    if (watch.lookers > 0) return;
    watch.timer = window.setTimeout(() => {
      watch.stop.abort();
      watches.delete(id);
      setTurn(id, undefined);
    }, LINGER_MS);
  };
}

/** The turn that this agent is in, or was in last while it was looked at. */
export function useLive(id: string | undefined): LiveTurn | undefined {
  useEffect(() => (id === undefined ? undefined : watchLive(id)), [id]);
  return useLiveTurns(({ turns }) => (id === undefined ? undefined : turns[id]));
}

export function closeLive(): void {
  for (const { stop } of watches.values()) stop.abort();
  watches.clear();
  useLiveTurns.setState({ turns: {} });
}

function begin(id: string): Watch {
  const watch: Watch = { lookers: 0, stop: new AbortController(), timer: undefined };
  watches.set(id, watch);
  void follow(id, watch.stop.signal);
  return watch;
}

async function follow(id: string, signal: AbortSignal): Promise<void> {
  const options = {
    open: openBrowserSocket,
    agent: id,
    signal,
    onState: ({ kind }: { kind: string }) => {
      // What is still under way is told again from its beginning.
      if (kind === "live") setTurn(id, undefined);
    },
  };
  while (!signal.aborted) {
    try {
      for await (const frame of followLive(options)) {
        const before = useLiveTurns.getState().turns[id];
        const next = advanceLiveTurn(before, frame, Date.now());
        if (next !== before) setTurn(id, next);
      }
    } catch {
      // The feed of events tells of a hub that is away; of one that has no such agent there is nothing to show.
      await new Promise((resolve) => window.setTimeout(resolve, 5_000));
    }
  }
}

function setTurn(id: string, turn: LiveTurn | undefined): void {
  useLiveTurns.setState(({ turns }) => ({ turns: { ...turns, [id]: turn } }));
}
