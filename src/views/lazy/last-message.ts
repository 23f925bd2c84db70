import type { AgentId } from "../../model/agent.js";
import type { LazyView, LazyViews } from "./lazy-views.js";

/** The newest message that each agent sent or got, or the end of its newest turn. */
export const lastMessageView: LazyView = {
  name: "last_message",
  version: 2,
  create: (db) =>
    db.exec("CREATE TABLE last_message (agent TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID"),
  drop: (db) => db.exec("DROP TABLE IF EXISTS last_message"),
  fold(db) {
    const put = db.prepare("REPLACE INTO last_message (agent, seq) VALUES (?, ?)");
    return (events) => {
      const newest = new Map<AgentId, number>();
      for (const event of events) {
        if (event.type === "TurnEnded" && event.data.text !== "") newest.set(event.data.agent, event.seq);
        if (event.type !== "MessageAccepted") continue;
        const { from, to } = event.data.message;
        newest.set(from, event.seq);
        for (const { agent } of to) newest.set(agent, event.seq);
      }
      for (const [agent, seq] of newest) put.run(agent, seq);
    };
  },
};

export function createLastMessage({ reading }: Pick<LazyViews, "reading">) {
  return reading<[AgentId], number | undefined>((db) => {
    const get = db.prepare<[string], { seq: number }>("SELECT seq FROM last_message WHERE agent = ?");
    return (agent) => get.get(agent)?.seq;
  }, undefined);
}
