import type { Database } from "better-sqlite3";
import { createEventStore } from "../journal/event-store.js";
import type { View } from "../journal/fold.js";
import type { AgentId } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { MessageId } from "../model/message.js";
import { createLately } from "./lately.js";

export type StoredMessage = EventOf<"MessageAccepted">;

/** Where each message is in the journal. Its content stays there: it is stored once. */
export type Messages = View & {
  bySeq(seq: number): StoredMessage | undefined;
  bySender(sender: AgentId, id: MessageId): StoredMessage | undefined;
  /** All messages of that id: one, unless two senders chose the same. */
  byId(id: MessageId): StoredMessage[];
};

/** Larger ones would take up memory for the few that are read again at once. */
const LARGE = 8 * 1024;

export function createMessages(db: Database): Messages {
  const events = createEventStore(db);
  // An id whose message was pruned may come again.
  const insert = db.prepare("REPLACE INTO message (id, sender, seq) VALUES (?, ?, ?)");
  const bySender = db.prepare<[string, string], { seq: number }>(
    "SELECT seq FROM message WHERE id = ? AND sender = ?",
  );
  const byId = db.prepare<[string], { seq: number }>("SELECT seq FROM message WHERE id = ? ORDER BY seq");

  const accepted = createLately<number, StoredMessage>();

  function bySeq(seq: number): StoredMessage | undefined {
    const event = accepted.get(seq) ?? events.get(seq);
    return event?.type === "MessageAccepted" ? event : undefined;
  }

  return {
    tables: ["message"],
    forget: accepted.clear,
    ended: [
      {
        table: "message",
        where:
          "seq NOT IN (SELECT seq FROM delivery) AND seq NOT IN (SELECT seq FROM delivery_ended WHERE state = 3)",
      },
    ],
    folds: {
      MessageAccepted(event) {
        const { message } = event.data;
        insert.run(message.id, message.from, event.seq);
        if (message.content.length < LARGE) accepted.add(event.seq, event);
      },
    },
    bySeq,
    bySender(sender, id) {
      const row = bySender.get(id, sender);
      return row && bySeq(row.seq);
    },
    byId: (id) => byId.all(id).flatMap(({ seq }) => bySeq(seq) ?? []),
  };
}
