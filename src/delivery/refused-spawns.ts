import type { SpawnLimit } from "../hub/commands/record-refused-spawns.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { After } from "./timers.js";

/*
 * Counts the spawns that a limit refused, for each agent. An agent is `quiet` until its first; then refusals are `gathered` for a
 * few seconds, so that the notice has a number, and after it for an hour at a time. An hour without one makes it quiet again.
 * All of it is in memory: what a hub that is killed had not told yet is told by the agent's next try.
 */

export type RefusedSpawns = {
  /** A spawn by this agent failed. */
  note(by: AgentId, error: unknown): void;
};

type RefusedSpawnsPorts = { execute: ExecuteCommand; after: After; onError: (error: unknown) => void };
type Gathered = { count: number; reason: SpawnLimit };

const GATHER_MS = 5_000;
const QUIET_MS = 3_600_000;

export function createRefusedSpawns({ execute, after, onError }: RefusedSpawnsPorts): RefusedSpawns {
  const gathered = new Map<AgentId, Gathered>();

  function tell(agent: AgentId): void {
    const { count, reason } = gathered.get(agent) ?? {};
    if (!count || reason === undefined) {
      gathered.delete(agent);
      return;
    }
    gathered.set(agent, { count: 0, reason });
    execute("recordRefusedSpawns", { agent, count, reason }).catch(onError);
    after(QUIET_MS, () => tell(agent));
  }

  return {
    note(by, error) {
      const reason = error instanceof HubError ? error.code : undefined;
      if (by === HUMAN_ID || (reason !== "HOSTED_LIMIT" && reason !== "DEPTH_LIMIT")) return;
      const known = gathered.get(by);
      if (known === undefined) after(GATHER_MS, () => tell(by));
      gathered.set(by, { count: (known?.count ?? 0) + 1, reason });
    },
  };
}
