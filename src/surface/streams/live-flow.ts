import type { AgentId } from "../../model/agent.js";
import { type LivePlace, type LiveTurn, type LiveTurns, liveStart } from "../../model/live-turn.js";
import type { TurnStop } from "../../model/turn.js";
import { encodeBegan, encodeChange, encodeEnded } from "./live-frames.js";
import { createLivePace, type LivePace } from "./live-pace.js";

/*
 * What one reader is told of the turns of agents. It has a place in each: when its next frame is due it gets what came after
 * that, joined. So a slow reader costs no memory and misses nothing that is kept; it gets it in fewer frames. What a turn has
 * by the time it is first told of, and what is left at its end, come at once.
 */

type Reading = {
  turn: LiveTurn;
  name: string;
  place: LivePlace;
  stage: "new" | "under_way" | "told";
  end: { stop: TurnStop; at: number } | undefined;
};

type FlowPorts = {
  turns: LiveTurns;
  wants: (agent: AgentId) => boolean;
  nameOf: (agent: AgentId) => string;
  send: (frame: string) => void;
  /** Whether the reader takes more for now; if not, `resume` is called once it does. */
  hasRoom: () => boolean;
  /** Monotonic. */
  now: () => number;
  /** Calls back once; what it returns cancels. */
  after: (ms: number, run: () => void) => () => void;
};

type LiveFlow = { resume(): void; close(): void };

export function startLiveFlow(ports: FlowPorts): LiveFlow {
  const { turns, wants, now, send, hasRoom } = ports;
  const readings = new Map<AgentId, Reading>();
  const paces = new Map<AgentId, LivePace>();
  /** Those of whom something is to be told. */
  const waiting = new Set<AgentId>();
  let timer: { at: number; cancel: () => void } | undefined;

  function follow(turn: LiveTurn, stage: "new" | "under_way"): Reading {
    const known = readings.get(turn.agent);
    if (known?.turn === turn) return known;
    const reading: Reading = {
      turn,
      name: ports.nameOf(turn.agent),
      place: liveStart,
      stage,
      end: undefined,
    };
    readings.set(turn.agent, reading);
    return reading;
  }

  function paceOf(agent: AgentId): LivePace {
    const known = paces.get(agent) ?? createLivePace();
    paces.set(agent, known);
    return known;
  }

  function mark(agent: AgentId) {
    if (waiting.has(agent)) return;
    waiting.add(agent);
    arm(paceOf(agent).dueAt());
  }

  function arm(at: number) {
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    timer = { at, cancel: ports.after(Math.max(0, at - now()), tell) };
  }

  function tell() {
    timer?.cancel();
    timer = undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const agent of waiting) {
      if (!hasRoom()) return;
      const reading = readings.get(agent);
      const pace = paceOf(agent);
      if (reading === undefined || tellOf(reading, pace)) waiting.delete(agent);
      else next = Math.min(next, pace.dueAt());
    }
    if (Number.isFinite(next)) arm(next);
  }

  /** Whether that was all. */
  function tellOf(reading: Reading, pace: LivePace): boolean {
    const { turn, end, stage } = reading;
    const of = { agent: reading.name, id: turn.agent, turn: turn.turn };
    const atOnce = stage === "under_way" || end !== undefined;
    const room = pace.room(now());
    if (!atOnce && room <= 0) return false;
    let frames = 0;
    if (stage !== "told") {
      send(encodeBegan(of, turn, stage === "under_way"));
      frames++;
    }
    const most = atOnce ? Number.POSITIVE_INFINITY : room - frames;
    const { changes, place } = turn.since(reading.place, most);
    for (const change of changes) send(encodeChange(of, change));
    frames += changes.length;
    reading.place = place;
    reading.stage = "told";
    if (end !== undefined) {
      send(encodeEnded(of, end));
      frames++;
      readings.delete(turn.agent);
    }
    pace.sent(now(), frames);
    return changes.length < most;
  }

  const unwatch = turns.watch({
    began(turn) {
      if (!wants(turn.agent)) return;
      follow(turn, "new");
      mark(turn.agent);
    },
    changed(turn) {
      if (!wants(turn.agent)) return;
      follow(turn, "new");
      mark(turn.agent);
    },
    ended(turn, end) {
      if (!wants(turn.agent)) return;
      follow(turn, "new").end = end;
      waiting.add(turn.agent);
      arm(now());
    },
  });
  for (const turn of turns.all()) {
    if (!wants(turn.agent)) continue;
    follow(turn, "under_way");
    waiting.add(turn.agent);
  }
  tell();

  return {
    resume: tell,
    close() {
      timer?.cancel();
      unwatch();
    },
  };
}
