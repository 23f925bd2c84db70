import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventStore } from "../journal/event-store.js";
import type { EventOf } from "../model/events.js";
import { maySee } from "../model/mail-visibility.js";
import type { Viewer } from "../model/viewer.js";
import type { StoredMessage } from "./messages.js";

const PAGE = 200;
/** Whoever asks for few wants to come as near to something as it can, such as a damaged page. */
const FEW = 10;
/** How much of the journal one call reads, at most: a page may be short, or empty, and still have a next one. */
const MOST_EVENTS = 5000;
/** A page ends with the turn that makes it larger than this: each may have 256 KB. */
const MOST_BYTES = 2 * 1024 * 1024;

/** `turns`: those of agents are wanted, too. */
type ListMessages = { viewer: Viewer; after: number; limit: number; turns?: boolean };

/** `next` is where to go on after; null at the end of the journal. */
type MessagePage = { messages: StoredMessage[]; turns: StoredTurn[]; next: number | null };
type StoredTurn = EventOf<"TurnEnded">;

/** Messages in the order of the journal, read from the journal itself: nothing that is committed is missing. */
export async function listMessages(
  events: Pick<EventStore, "pageAfter">,
  { viewer, after, limit, turns: wantsTurns = false }: ListMessages,
): Promise<MessagePage> {
  const messages: StoredMessage[] = [];
  const turns: StoredTurn[] = [];
  let bytes = 0;
  const size = limit < FEW ? limit : PAGE;
  let place = after;
  for (let read = 0; read < MOST_EVENTS; read += size) {
    const page = events.pageAfter(place, size);
    for (const event of page) {
      if (isFull()) return { messages, turns, next: place };
      place = event.seq;
      if (wantsTurns && event.type === "TurnEnded" && isTurnOf(event, viewer)) {
        turns.push(event);
        bytes += event.data.text.length + (event.data.thoughts?.length ?? 0);
      }
      if (event.type === "MessageAccepted" && maySee(event.data.message, viewer)) messages.push(event);
    }
    if (page.length < size) return { messages, turns, next: null };
    if (isFull()) return { messages, turns, next: place };
    await nextTurn(); // For the others: this is only read.
  }
  return { messages, turns, next: place };

  function isFull() {
    return messages.length + turns.length >= limit || bytes >= MOST_BYTES;
  }
}

/** What was never taken was no turn; what an agent says in one is for the person, and itself. */
function isTurnOf({ data }: StoredTurn, viewer: Viewer): boolean {
  return data.stop !== "not_taken" && (viewer.kind === "operator" || viewer.id === data.agent);
}
