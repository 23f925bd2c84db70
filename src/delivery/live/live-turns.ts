import type { Listen } from "../../journal/signal.js";
import type { AgentId } from "../../model/agent.js";
import type { HubEvent } from "../../model/events.js";
import type { LiveTurn, LiveTurns, LiveWatcher } from "../../model/live-turn.js";
import type { MessageId } from "../../model/message.js";
import type { TurnId } from "../../model/turn.js";
import { createTurnLog, type TurnLog } from "./turn-log.js";

/*
 * The turns that hosted agents are in. A turn is prepared when it is offered, begins when the agent has it or is heard, and
 * ends with its event in the journal: whoever reads that it ended finds it there. One that was never taken is not told of.
 */

type BeganTurn = {
  agent: AgentId;
  turn: TurnId;
  messages: readonly MessageId[];
  /** It was under way before the hub started: since then, in hub time. */
  since?: number | undefined;
};

export type LiveTurnKeeper = LiveTurns & {
  /** Keeps what the agent says and does in this turn, in place of any before. */
  prepare(turn: BeganTurn): TurnLog;
  close(): void;
};

type Kept = { live: LiveTurn; hasBegun: boolean };

type KeeperPorts = {
  onCommitted: Listen<readonly HubEvent[]>;
  wall: () => number;
  /** Hub time. */
  now: () => number;
};

export function createLiveTurns({ onCommitted, wall, now }: KeeperPorts): LiveTurnKeeper {
  const turns = new Map<AgentId, Kept>();
  const watchers = new Set<LiveWatcher>();

  function begin(kept: Kept) {
    if (kept.hasBegun) return;
    kept.hasBegun = true;
    for (const watcher of watchers) watcher.began(kept.live);
  }

  function foundIn(agent: AgentId, turn: TurnId | undefined): Kept | undefined {
    const kept = turns.get(agent);
    return kept?.live.turn === turn ? kept : undefined;
  }

  const stop = onCommitted((events) => {
    if (turns.size === 0) return;
    for (const event of events) {
      if (event.type === "MessagesInjected") {
        const kept = foundIn(event.data.agent, event.data.turn);
        if (kept !== undefined) begin(kept);
      }
      if (event.type !== "TurnEnded") continue;
      const kept = foundIn(event.data.agent, event.data.turn);
      if (kept === undefined) continue;
      turns.delete(event.data.agent);
      if (!kept.hasBegun) continue;
      for (const watcher of watchers) watcher.ended(kept.live, { stop: event.data.stop, at: event.at });
    }
  });

  return {
    prepare({ agent, turn, messages, since }) {
      const log = createTurnLog(now);
      const live = {
        agent,
        turn,
        messages,
        startedAt: wall() - (now() - (since ?? now())),
        since: log.since,
      };
      const kept: Kept = { live, hasBegun: false };
      turns.set(agent, kept);
      if (since !== undefined) begin(kept);
      return {
        ...log,
        add(part) {
          log.add(part);
          if (!kept.hasBegun) begin(kept);
          for (const watcher of watchers) watcher.changed(live);
        },
      };
    },
    of(agent) {
      const kept = turns.get(agent);
      return kept?.hasBegun === true ? kept.live : undefined;
    },
    all: () => [...turns.values()].filter(({ hasBegun }) => hasBegun).map(({ live }) => live),
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    close: stop,
  };
}
