import { setTimeout as sleep } from "node:timers/promises";
import type { Message, MessageId } from "../../model/message.js";
import type { Messages } from "../messages.js";
import type { LazyView, LazyViews } from "./lazy-views.js";

const CATCH_UP_MS = 250;

/** Which messages answer each other, by the message that began it. That one has no row: it is found by its id. */
export const threadsView: LazyView = {
  name: "threads",
  version: 2,
  create: (db) =>
    db.exec(`
      CREATE TABLE thread (seq INTEGER PRIMARY KEY, root TEXT NOT NULL);
      CREATE INDEX thread_by_root ON thread (root, seq);
    `),
  drop: (db) => db.exec("DROP TABLE IF EXISTS thread"),
  fold(db) {
    const insert = db.prepare("INSERT INTO thread (seq, root) VALUES (?, ?)");
    return (events) => {
      for (const event of events) {
        if (event.type !== "MessageAccepted") continue;
        const { thread } = event.data.message;
        if (thread !== undefined) insert.run(event.seq, thread);
      }
    };
  },
  prune(db) {
    const remove = db.prepare(
      "DELETE FROM thread WHERE seq IN (SELECT seq FROM thread WHERE seq <= ? ORDER BY seq LIMIT ?)",
    );
    return (upTo, limit) => remove.run(upTo, limit).changes;
  },
};

export function threadRoot({ thread, id }: Message): MessageId {
  return thread ?? id;
}

/** The newest `limit` messages of a thread, oldest first; what was just sent is waited for, but not for long. */
export function createThreadReader(
  { reading, caughtUp }: Pick<LazyViews, "reading" | "caughtUp">,
  messages: Pick<Messages, "byId">,
) {
  const newest = reading<[string, number], number[]>((db) => {
    const get = db
      .prepare<[string, number], number>("SELECT seq FROM thread WHERE root = ? ORDER BY seq DESC LIMIT ?")
      .pluck();
    return (root, limit) => get.all(root, limit);
  }, []);
  return async (root: MessageId, limit: number): Promise<number[]> => {
    await Promise.race([caughtUp(), sleep(CATCH_UP_MS, undefined, { ref: false })]);
    const first = messages.byId(root).filter(({ data }) => data.message.thread === undefined);
    return [...first.map(({ seq }) => seq), ...newest(root, limit).toReversed()].slice(-limit);
  };
}
