import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import { fullAddress } from "../model/address.js";
import type { AgentId } from "../model/agent.js";
import type { AlarmKind } from "../model/alarm-kind.js";
import type { EventData } from "../model/events.js";
import type { TaskId } from "../model/task.js";

export type Alarm = { due: number; kind: AlarmKind; ref: string };

/** Everything that is due later, in hub time. One ticker asks for what is due; the commands it submits decide again. */
export type Alarms = View & {
  next(): Alarm | undefined;
  due(now: number, limit: number): Alarm[];
  has(alarm: Alarm): boolean;
  /** When the times of these tasks end, in hub time. */
  ofTasks(tasks: readonly TaskId[]): { task: TaskId; due: number }[];
  /** What is left of the times of its tasks while an agent is paused. */
  stoppedClocks(agent: AgentId): { task: TaskId; leftMs: number }[];
};

/** Padded, so that alarms of one moment ring in the order of the journal. */
function seqRef(seq: number): string {
  return String(seq).padStart(16, "0");
}

/** `team/name`; in journals from before names were per team, the name. */
function heldRef({ from, fromTeam }: EventData["AgentRenamed"]): string {
  return fromTeam === undefined ? from : fullAddress({ team: fromTeam, name: from });
}

export function createAlarms(db: Database): Alarms {
  const insert = db.prepare("INSERT OR IGNORE INTO alarm (due, kind, ref) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM alarm WHERE due = ? AND kind = ? AND ref = ?");
  const has = db.prepare<[number, string, string]>(
    "SELECT 1 FROM alarm WHERE due = ? AND kind = ? AND ref = ?",
  );
  const next = db.prepare<[], Alarm>("SELECT due, kind, ref FROM alarm ORDER BY due LIMIT 1");
  const due = db.prepare<[number, number], Alarm>(
    "SELECT due, kind, ref FROM alarm WHERE due <= ? ORDER BY due LIMIT ?",
  );

  const ofTasks = db.prepare<[string], { task: string; due: number }>(
    `SELECT ref AS task, due FROM alarm WHERE kind = 'expire_task' AND ref IN (SELECT value FROM json_each(?))`,
  );
  const stopTask = db.prepare("DELETE FROM alarm WHERE kind = 'expire_task' AND ref = ?");
  const stopClock = db.prepare("INSERT OR IGNORE INTO stopped_clock (task, agent, left_ms) VALUES (?, ?, ?)");
  const startClocks = db.prepare("DELETE FROM stopped_clock WHERE agent = ?");
  const stopped = db.prepare<[string], { task: string; leftMs: number }>(
    "SELECT task, left_ms AS leftMs FROM stopped_clock WHERE agent = ?",
  );

  function set(dueAt: number, kind: AlarmKind, ref: string | number) {
    insert.run(dueAt, kind, String(ref));
    known = false;
  }

  // Asked after every commit, and seldom another.
  let known = false;
  let earliest: Alarm | undefined;

  return {
    tables: ["alarm", "stopped_clock"],
    forget() {
      known = false;
    },
    folds: {
      MessageAccepted({ seq, data }) {
        if (data.expiresAt !== undefined) set(data.expiresAt, "expire_message", seqRef(seq));
        for (const { hold } of data.message.to) {
          if (hold?.until !== undefined) set(hold.until, "release_message", seqRef(seq));
        }
      },
      AgentRenamed({ data }) {
        set(data.heldUntil, "release_name", heldRef(data));
      },
      RequestOpened({ data: { request } }) {
        set(request.nudgeAt, "nudge_request", request.id);
        set(request.expiresAt, "expire_request", request.id);
      },
      RequestReopened({ data }) {
        set(data.nudgeAt, "nudge_request", data.request);
        set(data.expiresAt, "expire_request", data.request);
      },
      WorkClaimed({ data: { claim } }) {
        set(claim.until, "expire_claim", claim.task);
      },
      PermissionRequested({ data: { permission, expiresAt } }) {
        if (expiresAt !== undefined) set(expiresAt, "expire_permission", permission.id);
      },
      TaskAssigned({ data }) {
        set(data.expiresAt, "expire_task", data.task.id);
      },
      TaskStarted({ data }) {
        if (data.expiresAt !== undefined) set(data.expiresAt, "expire_task", data.task);
      },
      AgentPaused({ data: { agent, clocks = [] } }) {
        for (const { task, leftMs } of clocks) {
          stopTask.run(task);
          stopClock.run(task, agent, leftMs);
        }
        known = false;
      },
      AgentResumed({ data: { agent, clocks = [] } }) {
        startClocks.run(agent);
        for (const { task } of clocks) stopTask.run(task);
        for (const { task, expiresAt } of clocks) set(expiresAt, "expire_task", task);
        known = false;
      },
      AgentDeregistered({ data }) {
        startClocks.run(data.agent);
      },
      CallbackDue({ data }) {
        set(data.due, "send_callback", data.callback);
      },
      AlarmFired({ data }) {
        remove.run(data.due, data.kind, data.ref);
        known = false;
      },
    },
    next() {
      if (!known) earliest = next.get();
      known = true;
      return earliest;
    },
    due: (now, limit) => due.all(now, limit),
    ofTasks: (tasks) => (tasks.length === 0 ? [] : ofTasks.all(JSON.stringify(tasks))),
    stoppedClocks: (agent) => stopped.all(agent),
    has: ({ due: dueAt, kind, ref }) => has.get(dueAt, kind, ref) !== undefined,
  };
}
