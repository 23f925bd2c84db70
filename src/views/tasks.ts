import { createEventStore } from "../journal/event-store.js";
import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { AssignedTask, CheckResult, TaskId, TaskState, WorktreeResult } from "../model/task.js";
import { createRemembered } from "./remembered.js";
import { createTaskStore, type TaskRow } from "./task-store.js";

/** A task that was only assigned so far. */
const unstarted = {
  state: "pending",
  attempt: 1,
  message: null,
  answered: null,
  started: null,
  ended: null,
  error: null,
  checks: [],
  worktree: null,
} as const;

/** What tasks were asked may be long. */
const REMEMBERED = 100;

/** A task as it stands. Times are wall time; `message` is the seq of the message that its agent has it by. */
export type Task = AssignedTask & {
  seq: number;
  state: TaskState;
  attempt: number;
  message: number | null;
  assignedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  error: string | null;
  results: readonly CheckResult[];
  result: WorktreeResult | null;
};

type TasksPage = {
  states?: readonly TaskState[] | undefined;
  agent?: AgentId | undefined;
  /** Only those that this one assigned or was assigned. */
  of?: AgentId | undefined;
  /** Continue below this number. */
  before?: number | undefined;
  limit: number;
};

/** Tasks, and what became of them. */
export type Tasks = View & {
  byId(id: TaskId): Task | undefined;
  /** What the agent answered last. */
  outputOf(id: TaskId): { text: string; isCut: boolean } | undefined;
  /** The open task that this message assigns, if it is one. */
  byMessage(seq: number): Task | undefined;
  /** Those that have not ended, oldest first. */
  openOf(agent: AgentId): Task[];
  open(): Task[];
  openCount(): number;
  /** Those that this one assigned. */
  openCountBy(assigner: AgentId): number;
  /** Newest first. */
  list(page: TasksPage): Task[];
};

export function createTasks(db: Database): Tasks {
  const events = createEventStore(db);
  const rows = createTaskStore(db);
  // Those that run are looked at several times for each step of their turns.
  const assigned = createRemembered<number, EventOf<"TaskAssigned">>(REMEMBERED);

  /** None where it was pruned: then it is forgotten. */
  function assignedBy(seq: number): EventOf<"TaskAssigned"> | undefined {
    return assigned.get(seq, () => {
      const event = events.get(seq);
      return event?.type === "TaskAssigned" ? event : undefined;
    });
  }

  function toTask(row: TaskRow | undefined): Task | undefined {
    const event = row === undefined ? undefined : assignedBy(row.seq);
    if (row === undefined || event === undefined) return undefined;
    return {
      seq: row.seq,
      state: row.state,
      attempt: row.attempt,
      message: row.message,
      assignedAt: event.at,
      startedAt: row.started,
      endedAt: row.ended,
      error: row.error,
      results: row.checks,
      result: row.worktree,
      ...event.data.task,
    };
  }

  const toTasks = (found: readonly TaskRow[]) => found.flatMap((row) => toTask(row) ?? []);

  return {
    tables: ["task"],
    forget() {
      rows.forget();
      assigned.forget();
    },
    settle: rows.settle,
    ended: [{ table: "task", where: "state IN ('done', 'failed', 'cancelled')" }],
    oldestNeeded: () => rows.open()[0]?.seq,
    folds: {
      TaskAssigned(event) {
        const { seq, data } = event;
        const { id, agent, by } = data.task;
        assigned.set(seq, event);
        rows.put({ id, seq, agent, assigner: by, ...unstarted });
      },
      MessageAccepted({ seq, data: { message } }) {
        if (message.taskId !== undefined) rows.change(message.taskId, () => ({ message: seq }));
      },
      TaskStarted({ at, data }) {
        rows.change(data.task, ({ started }) => ({ state: "running", started: started ?? at }));
      },
      TaskAnswered({ seq, data }) {
        rows.change(data.task, () => ({ state: "checking", answered: seq, checks: [] }));
      },
      TaskChecked({ data }) {
        rows.change(data.task, ({ checks }) => ({ checks: [...checks, data.check] }));
      },
      TaskReturned({ data }) {
        rows.change(data.task, () => ({ state: "pending", attempt: data.attempt, message: null }));
      },
      TaskEnded({ at, data: { task, state, error, worktree } }) {
        rows.change(task, (row) => ({
          state,
          ended: at,
          error: error ?? null,
          worktree: worktree ?? row.worktree,
        }));
      },
      // What it came to once its agent had left, which may be long after the task's end.
      WorktreeKept({ data: { task, result } }) {
        if (task !== undefined) rows.change(task, () => ({ worktree: result }));
      },
      WorktreeRemoved({ data: { task, result } }) {
        if (task !== undefined && result !== undefined) rows.change(task, () => ({ worktree: result }));
      },
    },
    byId: (id) => toTask(rows.get(id)),
    outputOf(id) {
      const answered = rows.get(id)?.answered ?? null;
      const event = answered === null ? undefined : events.get(answered);
      if (event?.type !== "TaskAnswered") return undefined;
      return { text: event.data.output, isCut: event.data.cut === true };
    },
    byMessage: (seq) => toTask(rows.byMessage(seq)),
    openOf: (agent) => toTasks(rows.openOf(agent)),
    open: () => toTasks(rows.open()),
    openCount: rows.openCount,
    openCountBy: rows.openCountBy,
    list({ states, agent, of, before, limit }) {
      const found = rows.list({
        before: before ?? Number.MAX_SAFE_INTEGER,
        states: JSON.stringify(states ?? ["pending", "running", "checking", "done", "failed", "cancelled"]),
        agent: agent ?? null,
        of: of ?? null,
        limit,
      });
      return toTasks(found);
    },
  };
}
