import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { WorkClaim } from "../model/work.js";
import { createTally } from "./tally.js";

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
  countOf(agent: AgentId): number;
};

export function createWorkClaims(db: Database): WorkClaims {
  const get = db.prepare<[string], Row>("SELECT * FROM work WHERE task = ?");
  const list = db.prepare<[string, number], Row>("SELECT * FROM work WHERE task > ? ORDER BY task LIMIT ?");
  const ownedBy = db.prepare<[string], Row>("SELECT * FROM work WHERE owner = ? ORDER BY task");
  const count = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM work");
  const countOf = db.prepare<[string], { n: number }>("SELECT count(*) AS n FROM work WHERE owner = ?");
  // A renewal keeps its beginning; a task whose lease ended was released before somebody else took it.
  const claim = db.prepare(
    `INSERT INTO work (task, owner, owner_name, since, until) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (task) DO UPDATE SET owner_name = excluded.owner_name, until = excluded.until`,
  );
  const release = db.prepare("DELETE FROM work WHERE task = ?");

  // Asked at every claim, so kept.
  const total = createTally<"all">(() => count.get()?.n ?? 0);
  const owned = createTally((agent: AgentId) => countOf.get(agent)?.n ?? 0);

  function change(owner: AgentId, by: number) {
    total.add("all", by);
    owned.add(owner, by);
  }

  return {
    tables: ["work"],
    forget() {
      total.clear();
      owned.clear();
    },
    folds: {
      // Those of other hubs are in `peer-work.ts`.
      WorkClaimed({ data: { claim: taken }, at }) {
        if (taken.hub !== undefined) return;
        if (get.get(taken.task) === undefined) change(taken.owner, 1);
        claim.run(taken.task, taken.owner, taken.ownerName, at, taken.until);
      },
      WorkReleased({ data }) {
        if (data.hub !== undefined) return;
        const row = get.get(data.task);
        if (row !== undefined) change(row.owner, -1);
        release.run(data.task);
      },
    },
    get(task) {
      const row = get.get(task);
      return row && fromRow(row);
    },
    list: (after, limit) => list.all(after, limit).map(fromRow),
    ownedBy: (agent) => ownedBy.all(agent).map(fromRow),
    count: () => total.of("all"),
    countOf: owned.of,
  };
}

function fromRow({ task, owner, owner_name, since, until }: Row): Work {
  return { task, owner, ownerName: owner_name, since, until };
}
