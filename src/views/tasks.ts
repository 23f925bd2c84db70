import { createEventStore } from "../journal/event-store.js";
import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { AssignedTask, CheckResult, TaskId, TaskState, WorktreeResult } from "../model/task.js";
import { createRemembered } from "./remembered.js";
import { createTally } from "./tally.js";

/** What tasks were asked may be long. */
const REMEMBERED = 100;

type Row = {
  id: string;
  seq: number;
  agent: string;
  assigner: string;
  state: TaskState;
  attempt: number;
  message: number | null;
  answered: number | null;
  started: number | null;
  ended: number | null;
  error: string | null;
  checks: string;
  worktree: string | null;
};

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

const OPEN = "state IN ('pending', 'running', 'checking')";

export function createTasks(db: Database): Tasks {
  const events = createEventStore(db);
  const byId = db.prepare<[string], Row>("SELECT * FROM task WHERE id = ?");
  const byMessage = db.prepare<[number], Row>(`SELECT * FROM task WHERE message = ? AND ${OPEN}`);
  const openOf = db.prepare<[string], Row>(`SELECT * FROM task WHERE agent = ? AND ${OPEN} ORDER BY seq`);
  const open = db.prepare<[], Row>(`SELECT * FROM task WHERE ${OPEN} ORDER BY seq`);
  const countOpen = db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM task WHERE ${OPEN}`);
  const countBy = db.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM task WHERE assigner = ? AND ${OPEN}`,
  );
  const oldest = db.prepare<[], { seq: number | null }>(`SELECT min(seq) AS seq FROM task WHERE ${OPEN}`);
  const list = db.prepare<
    [{ before: number; states: string; agent: string | null; of: string | null; limit: number }],
    Row
  >(
    `SELECT * FROM task WHERE seq < @before AND state IN (SELECT value FROM json_each(@states))
       AND (@agent IS NULL OR agent = @agent) AND (@of IS NULL OR agent = @of OR assigner = @of)
     ORDER BY seq DESC LIMIT @limit`,
  );
  const insert = db.prepare(
    "INSERT INTO task (id, seq, agent, assigner, state, attempt, checks) VALUES (?, ?, ?, ?, 'pending', 1, '[]')",
  );
  const send = db.prepare("UPDATE task SET message = ? WHERE id = ?");
  const start = db.prepare("UPDATE task SET state = 'running', started = coalesce(started, ?) WHERE id = ?");
  const answer = db.prepare("UPDATE task SET state = 'checking', answered = ?, checks = '[]' WHERE id = ?");
  const check = db.prepare("UPDATE task SET checks = json_insert(checks, '$[#]', json(?)) WHERE id = ?");
  const giveBack = db.prepare("UPDATE task SET state = 'pending', attempt = ?, message = NULL WHERE id = ?");
  const settle = db.prepare("UPDATE task SET worktree = ? WHERE id = ?");
  const end = db.prepare(
    "UPDATE task SET state = ?, ended = ?, error = ?, worktree = coalesce(?, worktree) WHERE id = ?",
  );

  // Those that run are looked at several times for each step of their turns.
  const assigned = createRemembered<number, EventOf<"TaskAssigned">>(REMEMBERED);
  // Asked whenever mail is taken or read, and mostly zero.
  const total = createTally<"all">(() => countOpen.get()?.n ?? 0);

  /** Rows hold what the folds below wrote. */
  function parse<T>(json: string): T {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- written by this view from typed events
    return JSON.parse(json) as T;
  }

  /** None where it was pruned: then it is forgotten. */
  function assignedBy(seq: number): EventOf<"TaskAssigned"> | undefined {
    return assigned.get(seq, () => {
      const event = events.get(seq);
      return event?.type === "TaskAssigned" ? event : undefined;
    });
  }

  function toTask(row: Row | undefined): Task | undefined {
    const event = row === undefined ? undefined : assignedBy(row.seq);
    if (row === undefined || event === undefined) return undefined;
    return {
      ...event.data.task,
      seq: row.seq,
      state: row.state,
      attempt: row.attempt,
      message: row.message,
      assignedAt: event.at,
      startedAt: row.started,
      endedAt: row.ended,
      error: row.error,
      results: parse<CheckResult[]>(row.checks),
      result: row.worktree === null ? null : parse<WorktreeResult>(row.worktree),
    };
  }

  const toTasks = (rows: readonly Row[]) => rows.flatMap((row) => toTask(row) ?? []);

  return {
    tables: ["task"],
    forget() {
      total.clear();
      assigned.forget();
    },
    ended: [{ table: "task", where: "state IN ('done', 'failed', 'cancelled')" }],
    oldestNeeded: () => oldest.get()?.seq ?? undefined,
    folds: {
      TaskAssigned(event) {
        const { seq, data } = event;
        const { task } = data;
        total.add("all", 1);
        assigned.set(seq, event);
        insert.run(task.id, seq, task.agent, task.by);
      },
      MessageAccepted({ seq, data: { message } }) {
        if (message.taskId !== undefined) send.run(seq, message.taskId);
      },
      TaskStarted({ at, data }) {
        start.run(at, data.task);
      },
      TaskAnswered({ seq, data }) {
        answer.run(seq, data.task);
      },
      TaskChecked({ data }) {
        check.run(JSON.stringify(data.check), data.task);
      },
      TaskReturned({ data }) {
        giveBack.run(data.attempt, data.task);
      },
      TaskEnded({ at, data }) {
        total.add("all", -1);
        end.run(
          data.state,
          at,
          data.error ?? null,
          data.worktree === undefined ? null : JSON.stringify(data.worktree),
          data.task,
        );
      },
      // What it came to once its agent had left, which may be long after the task's end.
      WorktreeKept({ data }) {
        if (data.task !== undefined) settle.run(JSON.stringify(data.result), data.task);
      },
      WorktreeRemoved({ data }) {
        if (data.task !== undefined && data.result !== undefined)
          settle.run(JSON.stringify(data.result), data.task);
      },
    },
    byId: (id) => toTask(byId.get(id)),
    outputOf(id) {
      const answered = byId.get(id)?.answered ?? null;
      const event = answered === null ? undefined : events.get(answered);
      if (event?.type !== "TaskAnswered") return undefined;
      return { text: event.data.output, isCut: event.data.cut === true };
    },
    byMessage: (seq) => (total.of("all") === 0 ? undefined : toTask(byMessage.get(seq))),
    openOf: (agent) => (total.of("all") === 0 ? [] : toTasks(openOf.all(agent))),
    open: () => toTasks(open.all()),
    openCount: () => total.of("all"),
    openCountBy: (assigner) => (total.of("all") === 0 ? 0 : (countBy.get(assigner)?.n ?? 0)),
    list({ states, agent, of, before, limit }) {
      const rows = list.all({
        before: before ?? Number.MAX_SAFE_INTEGER,
        states: JSON.stringify(states ?? ["pending", "running", "checking", "done", "failed", "cancelled"]),
        agent: agent ?? null,
        of: of ?? null,
        limit,
      });
      return toTasks(rows);
    },
  };
}
