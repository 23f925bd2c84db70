import { LRUCache } from "lru-cache";
import { createEventStore } from "../journal/event-store.js";
import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { MessageId } from "../model/message.js";
import { createWriteBehind } from "./write-behind.js";

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
/** Most messages are asked for within moments, by their reader. */
const REMEMBERED = 256;

export function createMessages(db: Database): Messages {
  const events = createEventStore(db);
  // An id whose message was pruned may come again.
  const insert = db.prepare("REPLACE INTO message (id, sender, seq) VALUES (?, ?, ?)");
  const byId = db.prepare<[string], { sender: AgentId; seq: number }>(
    "SELECT sender, seq FROM message WHERE id = ? ORDER BY seq",
  );
  const get = db
    .prepare<[string, string], number>("SELECT seq FROM message WHERE id = ? AND sender = ?")
    .pluck();

  const accepted = new LRUCache<number, StoredMessage>({ max: REMEMBERED });
  const places = createWriteBehind<number>({
    read: (id, sender) => get.get(id, sender),
    write: (id, sender, seq) => insert.run(id, sender, seq),
    remembered: REMEMBERED,
  });

  function find(id: MessageId): number[] {
    const unstored = places.unstored(id);
    const stored = byId.all(id).filter(({ sender }) => !unstored.has(sender));
    return [...stored.map(({ seq }) => seq), ...unstored.values()];
  }

  function bySeq(seq: number): StoredMessage | undefined {
    const event = accepted.get(seq) ?? events.get(seq);
    return event?.type === "MessageAccepted" ? event : undefined;
  }

  return {
    tables: ["message"],
    forget() {
      accepted.clear();
      places.forget();
    },
    trails: places.trails,
    ended: [
      {
        table: "message",
        where: `seq NOT IN (SELECT seq FROM delivery) AND seq NOT IN (SELECT seq FROM delivery_ended
             WHERE state = 3 AND recipient NOT IN (SELECT id FROM peer_agent))`,
      },
    ],
    folds: {
      MessageAccepted(event) {
        const { message } = event.data;
        places.set(message.id, message.from, event.seq);
        if (message.content.length < LARGE) accepted.set(event.seq, event);
      },
    },
    bySeq,
    bySender(sender, id) {
      const seq = places.get(id, sender);
      return seq === undefined ? undefined : bySeq(seq);
    },
    byId: (id) => find(id).flatMap((seq) => bySeq(seq) ?? []),
  };
}
