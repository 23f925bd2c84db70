import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { WorkClaim } from "../model/work.js";

type Row = { task: string; owner: string; owner_name: string; since: number; until: number };

/** `since` is wall time. */
export type Work = WorkClaim & { since: number };

/** Who is on what. A claim whose lease ended stays until its alarm has rung; deciders look at `until`. */
type WorkClaims = View & {
  get(task: string): Work | undefined;
  /** In order of the tasks' names, after the given one. */
  list(after: string, limit: number): Work[];
  ownedBy(agent: AgentId): Work[];
  count(): number;
};

export function createWorkClaims(db: Database): WorkClaims {
  const get = db.prepare<[string], Row>("SELECT * FROM work WHERE task = ?");
  const list = db.prepare<[string, number], Row>("SELECT * FROM work WHERE task > ? ORDER BY task LIMIT ?");
  const ownedBy = db.prepare<[string], Row>("SELECT * FROM work WHERE owner = ? ORDER BY task");
  const count = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM work");
  // A renewal keeps its beginning; a task whose lease ended was released before somebody else took it.
  const claim = db.prepare(
    `INSERT INTO work (task, owner, owner_name, since, until) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (task) DO UPDATE SET owner_name = excluded.owner_name, until = excluded.until`,
  );
  const release = db.prepare("DELETE FROM work WHERE task = ?");

  return {
    tables: ["work"],
    folds: {
      WorkClaimed({ data: { claim: taken }, at }) {
        claim.run(taken.task, taken.owner, taken.ownerName, at, taken.until);
      },
      WorkReleased({ data }) {
        release.run(data.task);
      },
    },
    get(task) {
      const row = get.get(task);
      return row && fromRow(row);
    },
    list: (after, limit) => list.all(after, limit).map(fromRow),
    ownedBy: (agent) => ownedBy.all(agent).map(fromRow),
    count: () => count.get()?.n ?? 0,
  };
}

function fromRow({ task, owner, owner_name, since, until }: Row): Work {
  return { task, owner, ownerName: owner_name, since, until };
}
