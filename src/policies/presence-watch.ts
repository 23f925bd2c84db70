import type { ExecuteCommand } from "../hub/deciders.js";
import { type Agent, type AgentId, isAway } from "../model/agent.js";
import type { Clock } from "../model/clock.js";
import type { Roster } from "../views/roster.js";

/*
 * Who is there. Signs of life are kept in memory only: they are many, and a restart gives everybody a new deadline.
 * What is journalled is a change: an agent fell silent (`dead` if it promised heartbeats, else `offline`), or came back.
 */

type PresenceLimits = { offlineAfterMs: number; deadAfterMs: number };

/** Sweeps find who falls silent soon; each of those is then looked at when its own time is up. */
const SWEEP_MS = 1000;
const SHORTEST_SWEEP_MS = 10;
/** A sweep this late means that the computer slept: the silence was ours, and every deadline starts again. */
const SLEPT_MS = 5000;
/** So much sooner than the limit, that the change is journalled within it. */
const EARLY_MS = 50;
/** A look this late means that the hub was held up: signs of life may lie unread, and get a moment to be read. */
const LATE_MS = 250;
const MOMENT_MS = 100;

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

type Sign = {
  at: number;
  wall: number;
  open: number;
  heartbeat: boolean;
  /** Set while its end is near. */
  look?: NodeJS.Timeout | undefined;
};

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

  const limitOf = ({ heartbeat }: Sign) => (heartbeat ? limits.deadAfterMs : limits.offlineAfterMs);
  function endsAt(sign: Sign): number {
    const limit = limitOf(sign);
    return sign.at + limit - Math.min(EARLY_MS, limit / 20);
  }
  // What the hub runs itself, or types to, needs no signs of life: its driver knows.
  const isHosted = (agent: AgentId) => (roster.byId(agent)?.runtime ?? null) !== null;

  let lastSweep = clock.monotonic();
  function noticeSleep(now: number) {
    if (now - lastSweep > SLEPT_MS) for (const sign of signs.values()) sign.at = now;
    lastSweep = now;
  }

  const soonest = Math.min(limits.deadAfterMs, limits.offlineAfterMs);
  const sweepMs = Math.max(SHORTEST_SWEEP_MS, Math.min(SWEEP_MS, soonest / 4));
  function sweep() {
    const now = clock.monotonic();
    noticeSleep(now);
    for (const [agent, sign] of signs) {
      // Twice: the next sweep may be late.
      if (sign.open > 0 || sign.look !== undefined || endsAt(sign) - now > 2 * sweepMs) continue;
      if (isHosted(agent)) continue;
      lookAt(agent, sign, endsAt(sign));
    }
  }

  function lookAt(agent: AgentId, sign: Sign, when: number) {
    const asked = clock.monotonic();
    const due = Math.max(when, asked);
    const onTime = () => {
      sign.look = undefined;
      const now = clock.monotonic();
      noticeSleep(now);
      if (signs.get(agent) !== sign || sign.open > 0 || isHosted(agent) || now < endsAt(sign)) return;
      if (now - due > LATE_MS) lookAt(agent, sign, now + MOMENT_MS);
      else fellSilent(agent, sign);
    };
    // Timers know whole milliseconds only, and must not be early.
    sign.look = setTimeout(onTime, Math.ceil(due - asked) + 1);
    sign.look.unref();
  }

  function fellSilent(agent: AgentId, sign: Sign) {
    signs.delete(agent);
    const evidence = `${sign.heartbeat ? "no heartbeat" : "no call"} for ${limitOf(sign) / 1000} s`;
    const status = sign.heartbeat ? "dead" : "offline";
    execute("recordPresence", { agent, status, evidence, lastSeen: sign.wall }).catch(onError);
  }
  const timer = setInterval(sweep, sweepMs);
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
    forget(agent) {
      clearTimeout(signs.get(agent)?.look);
      signs.delete(agent);
    },
    stop() {
      clearInterval(timer);
      for (const { look } of signs.values()) clearTimeout(look);
    },
  };
}

function newSign({ heartbeat }: Agent): Sign {
  return { at: 0, wall: 0, open: 0, heartbeat };
}

function isThere({ status }: Agent): boolean {
  return !isAway(status);
}
