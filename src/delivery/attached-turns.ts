import type { AgentId } from "../model/agent.js";
import type { Clock } from "../model/clock.js";

/*
 * Which agents that a person started are in a turn, as far as their hooks tell. Kept in memory only: a hub that starts
 * again hears of a turn by its next hook. A turn that nothing more is heard of is over after a while, for its end may
 * have had no hook: the person broke it off, or the program was killed.
 */

export type AttachedTurns = {
  /** A prompt was submitted, or a tool used. */
  goesOn(agent: AgentId): void;
  ended(agent: AgentId): void;
  /** Since when it is in one, in wall time. */
  since(agent: AgentId): number | undefined;
};

type Turn = { since: number; heard: number };

export function createAttachedTurns(clock: Clock, silentAfterMs: number): AttachedTurns {
  const turns = new Map<AgentId, Turn>();

  function current(agent: AgentId): Turn | undefined {
    const turn = turns.get(agent);
    if (turn === undefined || clock.monotonic() - turn.heard < silentAfterMs) return turn;
    turns.delete(agent);
    return undefined;
  }

  return {
    goesOn(agent) {
      const since = current(agent)?.since ?? clock.wall();
      turns.set(agent, { since, heard: clock.monotonic() });
    },
    ended: (agent) => void turns.delete(agent),
    since: (agent) => current(agent)?.since,
  };
}
