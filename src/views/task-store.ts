import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { CheckResult, TaskId, TaskState, WorktreeResult } from "../model/task.js";

/* The rows of tasks. Open ones are asked for at every step of a turn, so all of them are in memory; a row is stored once a batch. */

type Stored = {
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

export type TaskRow = Omit<Stored, "checks" | "worktree"> & {
  checks: readonly CheckResult[];
  worktree: WorktreeResult | null;
};

type TaskPage = {
  before: number;
  states: string;
  agent: string | null;
  of: string | null;
  limit: number;
};

type TaskStore = {
  get(id: TaskId): TaskRow | undefined;
  put(row: TaskRow): void;
  /** Changes a row, if there is one. */
  change(id: TaskId, change: (row: TaskRow) => Partial<TaskRow>): void;
  byMessage(seq: number): TaskRow | undefined;
  /** Those that have not ended, oldest first. */
  open(): TaskRow[];
  openOf(agent: AgentId): TaskRow[];
  openCount(): number;
  openCountBy(assigner: AgentId): number;
  list(page: TaskPage): TaskRow[];
  settle(): void;
  forget(): void;
};

const OPEN: readonly string[] = ["pending", "running", "checking"] satisfies TaskState[];
const COLUMNS =
  "id, seq, agent, assigner, state, attempt, message, answered, started, ended, error, checks, worktree";

export function createTaskStore(db: Database): TaskStore {
  const byId = db.prepare<[string], Stored>("SELECT * FROM task WHERE id = ?");
  const allOpen = db.prepare<[], Stored>(
    "SELECT * FROM task WHERE state IN ('pending', 'running', 'checking') ORDER BY seq",
  );
  const list = db.prepare<[TaskPage], Stored>(
    `SELECT * FROM task WHERE seq < @before AND state IN (SELECT value FROM json_each(@states))
       AND (@agent IS NULL OR agent = @agent) AND (@of IS NULL OR agent = @of OR assigner = @of)
     ORDER BY seq DESC LIMIT @limit`,
  );
  const write = db.prepare(
    `INSERT INTO task (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, attempt = excluded.attempt, message = excluded.message,
       answered = excluded.answered, started = excluded.started, ended = excluded.ended, error = excluded.error,
       checks = excluded.checks, worktree = excluded.worktree`,
  );
  /** Not stored yet, or not as they are now. */
  const changed = new Map<TaskId, TaskRow>();
  let known: OpenRows | undefined;

  function open(): OpenRows {
    known ??= indexRows(allOpen.all().map(unpack));
    return known;
  }

  function get(id: TaskId): TaskRow | undefined {
    const row = changed.get(id) ?? open().rows.get(id);
    if (row !== undefined) return row;
    const stored = byId.get(id);
    return stored && unpack(stored);
  }

  function put(row: TaskRow): void {
    open().put(row);
    changed.set(row.id, row);
  }

  function settle(): void {
    for (const row of changed.values()) write.run(...valuesOf(row));
    changed.clear();
  }

  return {
    get,
    put,
    change(id, change) {
      const row = get(id);
      if (row !== undefined) put({ ...row, ...change(row) });
    },
    byMessage: (seq) => open().byMessage.get(seq),
    open: () => [...open().rows.values()],
    openOf: (agent) => [...(open().byAgent.get(agent)?.values() ?? [])],
    openCount: () => open().rows.size,
    openCountBy: (assigner) => open().byAssigner.get(assigner) ?? 0,
    list(page) {
      settle();
      return list.all(page).map(unpack);
    },
    settle,
    forget() {
      changed.clear();
      known = undefined;
    },
  };
}

/** In each of the maps those that have not ended, in the order in which they were assigned. */
type OpenRows = {
  rows: Map<TaskId, TaskRow>;
  byMessage: Map<number, TaskRow>;
  byAgent: Map<AgentId, Map<TaskId, TaskRow>>;
  byAssigner: Map<AgentId, number>;
  put(row: TaskRow): void;
};

function indexRows(stored: readonly TaskRow[]): OpenRows {
  const rows: OpenRows["rows"] = new Map();
  const byMessage: OpenRows["byMessage"] = new Map();
  const byAgent: OpenRows["byAgent"] = new Map();
  const byAssigner: OpenRows["byAssigner"] = new Map();

  function put(row: TaskRow): void {
    const before = rows.get(row.id);
    const isOpen = OPEN.includes(row.state);
    const change = (isOpen ? 1 : 0) - (before === undefined ? 0 : 1);
    if (change !== 0) byAssigner.set(row.assigner, (byAssigner.get(row.assigner) ?? 0) + change);
    if (before !== undefined && before.message !== null) byMessage.delete(before.message);
    const own = byAgent.get(row.agent) ?? new Map<TaskId, TaskRow>();
    if (isOpen) {
      rows.set(row.id, row);
      byAgent.set(row.agent, own.set(row.id, row));
      if (row.message !== null) byMessage.set(row.message, row);
    } else {
      rows.delete(row.id);
      own.delete(row.id);
      if (own.size === 0) byAgent.delete(row.agent);
      if (byAssigner.get(row.assigner) === 0) byAssigner.delete(row.assigner);
    }
  }

  for (const row of stored) put(row);
  return { rows, byMessage, byAgent, byAssigner, put };
}

function unpack(stored: Stored): TaskRow {
  const { checks, worktree } = stored;
  return {
    ...stored,
    checks: parse<CheckResult[]>(checks),
    worktree: worktree === null ? null : parse<WorktreeResult>(worktree),
  };
}

function valuesOf(row: TaskRow) {
  const { id, seq, agent, assigner, state, attempt, message, answered, started, ended, error } = row;
  const checks = JSON.stringify(row.checks);
  const worktree = row.worktree === null ? null : JSON.stringify(row.worktree);
  return [
    id,
    seq,
    agent,
    assigner,
    state,
    attempt,
    message,
    answered,
    started,
    ended,
    error,
    checks,
    worktree,
  ];
}

function parse<T>(json: string): T {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by `valuesOf`, from typed events
  return JSON.parse(json) as T;
}
