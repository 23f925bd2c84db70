import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";

/** Whose mail goes to another agent, because it handed its work over. Asked at every send, and seldom there: kept in memory. */
export type Forwards = View & {
  get(agent: AgentId): AgentId | undefined;
  isEmpty(): boolean;
};

export function createForwards(db: Database): Forwards {
  const all = db.prepare<[], { agent: string; target: string }>("SELECT agent, target FROM forward");
  const put = db.prepare("REPLACE INTO forward (agent, target) VALUES (?, ?)");
  const remove = db.prepare("DELETE FROM forward WHERE agent = ?");
  let loaded: ReadonlyMap<AgentId, AgentId> | undefined;
  const known = () => (loaded ??= new Map(all.all().map(({ agent, target }) => [agent, target])));

  return {
    tables: ["forward"],
    forget() {
      loaded = undefined;
    },
    folds: {
      MailForwarded({ data: { agent, to } }) {
        if (to === null) remove.run(agent);
        else put.run(agent, to);
        loaded = undefined;
      },
    },
    get: (agent) => known().get(agent),
    isEmpty: () => known().size === 0,
  };
}
