import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { WorktreeResult } from "../model/task.js";
import type { PlannedWorktree, WorktreeState } from "../model/worktree.js";

type Row = {
  name: string;
  agent: string;
  asker: string;
  task: string | null;
  project: string;
  path: string;
  folder: string;
  branch: string;
  base: string;
  state: WorktreeState;
  planned: number;
  result: string | null;
};

export type Worktree = PlannedWorktree & {
  state: WorktreeState;
  /** Wall time. */
  plannedAt: number;
  /** What it came to, once it is kept. */
  result: WorktreeResult | null;
};

/** The worktrees that are there, or are being made. */
type Worktrees = View & {
  byName(name: string): Worktree | undefined;
  /** The one that an agent has, or had and left. */
  ofAgent(agent: AgentId): Worktree | undefined;
  /** In order of their names. */
  list(): Worktree[];
};

export function createWorktrees(db: Database): Worktrees {
  const byName = db.prepare<[string], Row>("SELECT * FROM worktree WHERE name = ?");
  const ofAgent = db.prepare<[string], Row>("SELECT * FROM worktree WHERE agent = ? ORDER BY planned DESC");
  const list = db.prepare<[], Row>("SELECT * FROM worktree ORDER BY name");
  const insert = db.prepare(
    `INSERT INTO worktree (name, agent, asker, task, project, path, folder, branch, base, state, planned)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'making', ?)`,
  );
  // An agent has one: a plan that did not work out gives way to the next.
  const forget = db.prepare("DELETE FROM worktree WHERE agent = ? AND state = 'making'");
  const made = db.prepare("UPDATE worktree SET state = 'made' WHERE name = ?");
  const keep = db.prepare("UPDATE worktree SET state = 'kept', result = ? WHERE name = ?");
  const remove = db.prepare("DELETE FROM worktree WHERE name = ?");
  return {
    tables: ["worktree"],
    folds: {
      WorktreePlanned({ at, data: { worktree } }) {
        const { name, agent, by, task, project, path, folder, branch, base } = worktree;
        forget.run(agent);
        insert.run(name, agent, by, task ?? null, project, path, folder, branch, base, at);
      },
      WorktreeMade({ data }) {
        made.run(data.name);
      },
      WorktreeKept({ data }) {
        keep.run(JSON.stringify(data.result), data.name);
      },
      WorktreeRemoved({ data }) {
        remove.run(data.name);
      },
    },
    byName: (name) => toWorktree(byName.get(name)),
    ofAgent: (agent) => toWorktree(ofAgent.get(agent)),
    list: () => list.all().flatMap((row) => toWorktree(row) ?? []),
  };
}

function toWorktree(row: Row | undefined): Worktree | undefined {
  if (row === undefined) return undefined;
  const { asker, task, planned, result, ...same } = row;
  return {
    ...same,
    by: asker,
    ...(task === null ? {} : { task }),
    plannedAt: planned,
    // oxlint-disable-next-line typescript/consistent-type-assertions -- written by this view from typed events
    result: result === null ? null : (JSON.parse(result) as WorktreeResult),
  };
}
