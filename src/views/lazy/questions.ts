import { setTimeout as sleep } from "node:timers/promises";
import { type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { HubEvent } from "../../model/events.js";
import { isQuestion } from "../../model/obligation.js";
import type { LazyView, LazyViews } from "./lazy-views.js";

/*
 * Questions that are not answered, by whom they were put to. A message that asks nothing has no row, and one that is answered
 * loses it, so that few are looked at however many messages there are. Whether the agent was handed it, its inbox knows.
 */

type QuestionsAsked = {
  /** Only those put to this agent, or by this one. */
  agent?: AgentId | undefined;
  asker?: AgentId | undefined;
  /** Hub time. */
  since: number;
  limit: number;
};

type Row = { agent: AgentId; seq: number };

export type Questions = {
  /** Newest first. */
  find(asked: QuestionsAsked): Row[];
  /** What was just asked is waited for, but not for long. */
  caughtUp(): Promise<void>;
};

const CATCH_UP_MS = 250;

export const questionsView: LazyView = {
  name: "questions",
  version: 1,
  create: (db) =>
    db.exec(`
      CREATE TABLE question (
        seq INTEGER NOT NULL, agent TEXT NOT NULL, asker TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (seq, agent)
      ) WITHOUT ROWID;
      CREATE INDEX question_to ON question (agent, at, seq);
      CREATE INDEX question_of ON question (asker, at, seq);
    `),
  drop: (db) => db.exec("DROP TABLE IF EXISTS question"),
  fold(db) {
    const insert = db.prepare("INSERT OR IGNORE INTO question (seq, agent, asker, at) VALUES (?, ?, ?, ?)");
    const remove = db.prepare("DELETE FROM question WHERE seq = ? AND agent = ?");
    const removeOf = db.prepare("DELETE FROM question WHERE agent = ?");
    const removeBy = db.prepare("DELETE FROM question WHERE asker = ?");

    function take(event: HubEvent): void {
      switch (event.type) {
        case "MessageAccepted": {
          const { message } = event.data;
          if (message.from === HUB_ID || !isQuestion(message)) return;
          for (const { agent } of message.to) {
            // What is asked of the person stands in their inbox until they answer it or mark it as read.
            if (agent !== HUMAN_ID) insert.run(event.seq, agent, message.from, event.hubTime);
          }
          return;
        }
        case "MessageAnswered":
        case "MessageExpired":
          remove.run(event.data.delivery.seq, event.data.agent);
          return;
        case "DeliveriesFailed":
          for (const { seq } of event.data.deliveries) remove.run(seq, event.data.agent);
          return;
        case "MessagesFinished":
          // The person reads what an agent says in its turn.
          if (event.data.stop !== "end_turn") return;
          for (const { seq, from } of event.data.deliveries) {
            if (from === HUMAN_ID) remove.run(seq, event.data.agent);
          }
          return;
        case "AgentDeregistered":
          removeOf.run(event.data.agent);
          removeBy.run(event.data.agent);
          return;
        default:
      }
    }
    return (events) => {
      for (const event of events) take(event);
    };
  },
  prune(db) {
    const remove = db.prepare(
      "DELETE FROM question WHERE seq IN (SELECT seq FROM question WHERE seq <= ? ORDER BY seq LIMIT ?)",
    );
    return (upTo, limit) => remove.run(upTo, limit).changes;
  },
};

export function createQuestions({ reading, caughtUp }: Pick<LazyViews, "reading" | "caughtUp">): Questions {
  const find = reading<[QuestionsAsked], Row[]>((db) => {
    // Hub time never goes back: in its order they are in that of the journal.
    const newest = "at >= ? ORDER BY at DESC, seq DESC LIMIT ?";
    const all = db.prepare<[number], Row & { at: number }>(
      "SELECT agent, seq, at FROM question ORDER BY seq DESC LIMIT ?",
    );
    const to = db.prepare<[string, number, number], Row>(
      `SELECT agent, seq FROM question WHERE agent = ? AND ${newest}`,
    );
    const of = db.prepare<[string, number, number], Row>(
      `SELECT agent, seq FROM question WHERE asker = ? AND ${newest}`,
    );
    return ({ agent, asker, since, limit }) => {
      if (agent !== undefined) return to.all(agent, since, limit);
      return asker === undefined
        ? all.all(limit).filter(({ at }) => at >= since)
        : of.all(asker, since, limit);
    };
  }, []);
  return {
    find,
    caughtUp: () => Promise.race([caughtUp(), sleep(CATCH_UP_MS, undefined, { ref: false })]),
  };
}
