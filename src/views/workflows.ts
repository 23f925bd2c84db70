import { createEventStore } from "../journal/event-store.js";
import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { TaskId, WorkflowId } from "../model/task.js";
import type { StepAssignee, StepStatus, WorkflowState } from "../model/workflow.js";
import { createDefinitions, type Definition } from "./workflow-definitions.js";
import { foldWorkflows } from "./workflow-folds.js";

export type WorkflowRow = {
  id: WorkflowId;
  /** Of its WorkflowCreated. */
  seq: number;
  creator: AgentId;
  state: WorkflowState;
  steps: number;
  /** How many of its steps have ended, and how many of these make it fail. */
  over: number;
  bad: number;
  runs: number;
  ended: number | null;
};

/** How far a step is. Times are wall time; `waits`, `bad` and `skipped` count what it depends on. */
export type StepRow = {
  name: string;
  state: StepStatus;
  waits: number;
  bad: number;
  skipped: number;
  attempt: number;
  spent: number;
  task: TaskId | null;
  asked: number | null;
  decided: number | null;
  started: number | null;
  ended: number | null;
  error: string | null;
  continued: boolean;
  assignee: StepAssignee | null;
};

type StoredStep = Omit<StepRow, "continued" | "assignee"> & { continued: number; assignee: string | null };

type WorkflowsPage = {
  states?: readonly WorkflowState[] | undefined;
  /** Only those that this one created. */
  creator?: AgentId | undefined;
  before?: number | undefined;
  limit: number;
};

/** Workflows, and how far each of their steps is. */
export type Workflows = View & {
  /** None where its definition was pruned. */
  byId(id: WorkflowId): WorkflowRow | undefined;
  definition(id: WorkflowId): Definition | undefined;
  step(id: WorkflowId, name: string): StepRow | undefined;
  /** All of its steps, in the order of the definition. */
  steps(id: WorkflowId): StepRow[];
  dependents(id: WorkflowId, step: string): StepRow[];
  /** The tasks that it was carried out by, oldest first. */
  tries(id: WorkflowId, step: string): TaskId[];
  /** How many of its steps are done, and the first that has failed. */
  progress(id: WorkflowId): { done: number; failedAt: string | null };
  /** What the person decided about a step. */
  decision(seq: number): { approved: boolean; comment?: string } | undefined;
  /** Steps that wait for the person, of all workflows, oldest first. */
  waiting(limit: number): { workflow: WorkflowId; step: StepRow }[];
  /** Whether some of its steps run, and whether some wait for the person. */
  isWaiting(id: WorkflowId): boolean;
  openCount(): number;
  openCountBy(creator: AgentId): number;
  /** Newest first. */
  list(page: WorkflowsPage): WorkflowRow[];
};

export function createWorkflows(db: Database): Workflows {
  const events = createEventStore(db);
  const byId = db.prepare<[string], WorkflowRow>("SELECT * FROM workflow WHERE id = ?");
  const step = db.prepare<[string, string], StoredStep>(
    "SELECT * FROM workflow_step WHERE workflow = ? AND name = ?",
  );
  const steps = db.prepare<[string], StoredStep>(
    "SELECT * FROM workflow_step WHERE workflow = ? ORDER BY place",
  );
  const dependents = db.prepare<[string, string], StoredStep>(
    `SELECT s.* FROM workflow_edge e JOIN workflow_step s ON s.workflow = e.workflow AND s.name = e.dependent
     WHERE e.workflow = ? AND e.step = ? ORDER BY s.place`,
  );
  const tries = db
    .prepare<[string, string], string>(
      `SELECT value FROM (
         SELECT key AS place, value FROM workflow_step, json_each(coalesce(tries, '[]')) WHERE workflow = ?1 AND name = ?2
         UNION ALL SELECT 1e9, task FROM workflow_step WHERE workflow = ?1 AND name = ?2 AND task IS NOT NULL
       ) ORDER BY place`,
    )
    .pluck();
  const progress = db.prepare<[{ id: string }], { done: number; failedAt: string | null }>(
    `SELECT count(*) FILTER (WHERE state = 'done') AS done,
       (SELECT name FROM workflow_step WHERE workflow = @id AND state = 'failed' ORDER BY place LIMIT 1) AS failedAt
     FROM workflow_step WHERE workflow = @id`,
  );
  const waiting = db.prepare<[number], StoredStep & { workflow: string }>(
    "SELECT * FROM workflow_step WHERE state = 'waiting' ORDER BY asked LIMIT ?",
  );
  const states = db.prepare<[string], { state: StepStatus }>(
    "SELECT DISTINCT state FROM workflow_step WHERE workflow = ? AND state IN ('running', 'waiting')",
  );
  const countOpen = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM workflow WHERE state = 'running'",
  );
  const countBy = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM workflow WHERE state = 'running' AND creator = ?",
  );
  const oldest = db.prepare<[], { seq: number | null }>(
    "SELECT min(seq) AS seq FROM workflow WHERE state = 'running'",
  );
  const list = db.prepare<
    [{ before: number; states: string; creator: string | null; limit: number }],
    WorkflowRow
  >(
    `SELECT * FROM workflow WHERE seq < @before AND state IN (SELECT value FROM json_each(@states))
       AND (@creator IS NULL OR creator = @creator)
     ORDER BY seq DESC LIMIT @limit`,
  );
  const definitions = createDefinitions((seq) => {
    const event = events.get(seq);
    return event?.type === "WorkflowCreated" ? { ...event.data.workflow, createdAt: event.at } : undefined;
  });
  const definitionOf = (row: WorkflowRow | undefined) =>
    row === undefined ? undefined : definitions.at(row.seq);

  const ended = "SELECT id FROM workflow WHERE state <> 'running'";
  return {
    tables: ["workflow", "workflow_step", "workflow_edge"],
    forget: definitions.clear,
    ended: [
      { table: "workflow", where: "state <> 'running'" },
      { table: "workflow_step", where: `workflow IN (${ended})` },
      { table: "workflow_edge", where: `workflow IN (${ended})` },
    ],
    oldestNeeded: () => oldest.get()?.seq ?? undefined,
    folds: foldWorkflows(db),
    byId(id) {
      const row = byId.get(id);
      return definitionOf(row) === undefined ? undefined : row;
    },
    definition: (id) => definitionOf(byId.get(id)),
    step: (id, name) => toStep(step.get(id, name)),
    steps: (id) => steps.all(id).flatMap((row) => toStep(row) ?? []),
    dependents: (id, name) => dependents.all(id, name).flatMap((row) => toStep(row) ?? []),
    tries: (id, name) => tries.all(id, name),
    progress: (id) => progress.get({ id }) ?? { done: 0, failedAt: null },
    decision(seq) {
      const event = events.get(seq);
      return event?.type === "StepDecided" ? event.data : undefined;
    },
    waiting: (limit) =>
      waiting.all(limit).flatMap((row) => {
        const asked = toStep(row);
        return asked === undefined ? [] : [{ workflow: row.workflow, step: asked }];
      }),
    isWaiting(id) {
      const found = states.all(id).map(({ state }) => state);
      return found.includes("waiting") && !found.includes("running");
    },
    openCount: () => countOpen.get()?.n ?? 0,
    openCountBy: (creator) => countBy.get(creator)?.n ?? 0,
    list: ({ states: asked, creator, before, limit }) =>
      list
        .all({
          before: before ?? Number.MAX_SAFE_INTEGER,
          states: JSON.stringify(asked ?? ["running", "done", "failed", "cancelled"]),
          creator: creator ?? null,
          limit,
        })
        .filter((row) => definitionOf(row) !== undefined),
  };
}

function toStep(row: StoredStep | undefined): StepRow | undefined {
  if (row === undefined) return undefined;
  const { continued, assignee } = row;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by this view from typed events
  const given = assignee === null ? null : (JSON.parse(assignee) as StepAssignee);
  return { ...row, continued: continued === 1, assignee: given };
}
