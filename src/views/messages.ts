import { createEventStore } from "../journal/event-store.js";
import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
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
  const byId = db.prepare<[string], { sender: AgentId; seq: number }>(
    "SELECT sender, seq FROM message WHERE id = ? ORDER BY seq",
  );

  const accepted = createLately<number, StoredMessage>();
  /** Where the newest are: most are asked for within moments, by their reader. */
  const unstored = new Map<MessageId, { sender: AgentId; seq: number }[]>();

  function find(id: MessageId): { sender: AgentId; seq: number }[] {
    const stored = byId.all(id);
    const fresh = unstored.get(id);
    return fresh === undefined
      ? stored
      : [...stored.filter((row) => !fresh.some((other) => other.sender === row.sender)), ...fresh];
  }

  function bySeq(seq: number): StoredMessage | undefined {
    const event = accepted.get(seq) ?? events.get(seq);
    return event?.type === "MessageAccepted" ? event : undefined;
  }

  return {
    tables: ["message"],
    forget() {
      accepted.clear();
      unstored.clear();
    },
    trails: {
      store() {
        for (const [id, places] of unstored)
          for (const { sender, seq } of places) insert.run(id, sender, seq);
        unstored.clear();
      },
      unstored: () => unstored.size,
    },
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
        const others = (unstored.get(message.id) ?? []).filter(({ sender }) => sender !== message.from);
        unstored.set(message.id, [...others, { sender: message.from, seq: event.seq }]);
        if (message.content.length < LARGE) accepted.add(event.seq, event);
      },
    },
    bySeq,
    bySender(sender, id) {
      const place = find(id).find((row) => row.sender === sender);
      return place && bySeq(place.seq);
    },
    byId: (id) => find(id).flatMap(({ seq }) => bySeq(seq) ?? []),
  };
}
