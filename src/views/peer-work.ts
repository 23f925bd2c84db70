import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { PeerName } from "../model/peer.js";
import type { Work } from "./work.js";

type Row = { task: string; owner: string; owner_name: string; hub: string; since: number; until: number };

/** A claim of another hub: `since` is that hub's wall time. */
export type PeerWork = Work & { hub: PeerName };

/**
 * What agents of other hubs say they are on. It keeps nobody here from claiming the same: who was first is told, and the two settle
 * it. And who of them was told of a claim here, to hear of its end too.
 */
export type PeerWorkClaims = View & {
  of(task: string): PeerWork[];
  get(task: string, owner: AgentId): PeerWork | undefined;
  /** The names of tasks behind this one, in order. */
  tasksAfter(task: string, limit: number): string[];
  countOf(owner: AgentId): number;
  /** Who of other hubs was told of the claim of this task. */
  told(task: string): AgentId[];
};

export function createPeerWork(db: Database): PeerWorkClaims {
  const of = db.prepare<[string], Row>("SELECT * FROM peer_work WHERE task = ? ORDER BY since, hub, owner");
  const get = db.prepare<[string, string], Row>("SELECT * FROM peer_work WHERE task = ? AND owner = ?");
  const tasks = db
    .prepare<[string, number], string>(
      "SELECT DISTINCT task FROM peer_work WHERE task > ? ORDER BY task LIMIT ?",
    )
    .pluck();
  const countOf = db.prepare<[string], number>("SELECT count(*) FROM peer_work WHERE owner = ?").pluck();
  // A renewal keeps its beginning.
  const claim = db.prepare(
    `INSERT INTO peer_work (task, owner, owner_name, hub, since, until) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (task, owner) DO UPDATE SET owner_name = excluded.owner_name, until = excluded.until`,
  );
  const release = db.prepare("DELETE FROM peer_work WHERE task = ? AND owner = ?");
  const leave = db.prepare("DELETE FROM peer_work WHERE hub = ?");
  const told = db
    .prepare<[string], string>("SELECT agent FROM work_told WHERE task = ? ORDER BY agent")
    .pluck();
  const tell = db.prepare("INSERT OR IGNORE INTO work_told (task, agent) VALUES (?, ?)");
  const forgetTold = db.prepare("DELETE FROM work_told WHERE task = ?");

  return {
    tables: ["peer_work", "work_told"],
    folds: {
      WorkClaimed({ at, data: { claim: taken, told: agent } }) {
        const { task, owner, ownerName, until, hub, since = at } = taken;
        if (hub !== undefined) claim.run(task, owner, ownerName, hub, since, until);
        if (agent !== undefined) tell.run(task, agent);
      },
      WorkReleased({ data: { task, owner, hub } }) {
        if (hub === undefined) forgetTold.run(task);
        else release.run(task, owner);
      },
      PeerRemoved({ data: { name } }) {
        leave.run(name);
      },
    },
    of: (task) => of.all(task).map(fromRow),
    get(task, owner) {
      const row = get.get(task, owner);
      return row && fromRow(row);
    },
    tasksAfter: (task, limit) => tasks.all(task, limit),
    countOf: (owner) => countOf.get(owner) ?? 0,
    told: (task) => told.all(task),
  };
}

function fromRow({ task, owner, owner_name, hub, since, until }: Row): PeerWork {
  return { task, owner, ownerName: owner_name, hub, since, until };
}
