import type { ExecuteCommand } from "../hub/deciders.js";
import type { Agent, AgentId } from "../model/agent.js";
import type { Clock } from "../model/clock.js";
import type { Roster } from "../views/roster.js";

/*
 * Who is there. Signs of life are kept in memory only: they are many, and a restart gives everybody a new deadline.
 * What is journalled is a change: an agent fell silent (`dead` if it promised heartbeats, else `offline`), or came back.
 */

type PresenceLimits = { offlineAfterMs: number; deadAfterMs: number };

const SWEEP_MS = 1000;
/** A sweep this late means that the computer slept: the silence was ours, and every deadline starts again. */
const SLEPT_MS = 5000;

type PresenceWatch = {
  touch(agent: Agent): void;
  enter(agent: Agent): () => void;
  lastSeen(agent: AgentId): number | undefined;
  forget(agent: AgentId): void;
  stop(): void;
};

type PresencePorts = {
  roster: Roster;
  clock: Clock;
  limits: PresenceLimits;
  execute: ExecuteCommand;
  onError: (error: unknown) => void;
};

type Sign = { at: number; wall: number; open: number; heartbeat: boolean; hosted: boolean };

export function startPresenceWatch({
  roster,
  clock,
  limits,
  execute,
  onError,
}: PresencePorts): PresenceWatch {
  const signs = new Map<AgentId, Sign>();
  for (const agent of roster.present()) {
    if (isThere(agent)) note(agent, agent.lastActive);
  }

  function note(agent: Agent, wall: number): Sign {
    const sign = signs.get(agent.id) ?? newSign(agent);
    sign.at = clock.monotonic();
    sign.wall = wall;
    signs.set(agent.id, sign);
    return sign;
  }

  function touch(agent: Agent) {
    note(agent, clock.wall());
    if (isThere(agent)) return;
    execute("recordPresence", { agent: agent.id, status: "idle", evidence: "it called the hub" }).catch(
      onError,
    );
  }

  let lastSweep = clock.monotonic();
  function sweep() {
    const now = clock.monotonic();
    const slept = now - lastSweep > SLEPT_MS;
    lastSweep = now;
    for (const [agent, sign] of signs) {
      if (slept) sign.at = now;
      const limit = sign.heartbeat ? limits.deadAfterMs : limits.offlineAfterMs;
      // What the hub runs itself needs no signs of life: its driver knows.
      if (sign.hosted || sign.open > 0 || now - sign.at < limit) continue;
      signs.delete(agent);
      const evidence = `${sign.heartbeat ? "no heartbeat" : "no call"} for ${limit / 1000} s`;
      const status = sign.heartbeat ? "dead" : "offline";
      execute("recordPresence", { agent, status, evidence, lastSeen: sign.wall }).catch(onError);
    }
  }
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();

  return {
    touch,
    enter(agent) {
      touch(agent);
      const sign = note(agent, clock.wall());
      sign.open++;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        sign.open--;
        sign.at = clock.monotonic();
        sign.wall = clock.wall();
      };
    },
    lastSeen: (agent) => signs.get(agent)?.wall,
    forget: (agent) => signs.delete(agent),
    stop: () => clearInterval(timer),
  };
}

function newSign({ heartbeat, runtime }: Agent): Sign {
  return { at: 0, wall: 0, open: 0, heartbeat, hosted: runtime !== null };
}

function isThere(agent: Agent): boolean {
  return agent.status !== "offline" && agent.status !== "dead";
}
