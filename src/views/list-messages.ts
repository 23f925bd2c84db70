import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventStore } from "../journal/event-store.js";
import { maySee } from "../model/mail-visibility.js";
import type { Viewer } from "../model/viewer.js";
import type { StoredMessage } from "./messages.js";

const PAGE = 200;
/** Whoever asks for few wants to come as near to something as it can, such as a damaged page. */
const FEW = 10;
/** How much of the journal one call reads, at most: a page may be short, or empty, and still have a next one. */
const MOST_EVENTS = 5000;

type ListMessages = { viewer: Viewer; after: number; limit: number };

/** `next` is where to go on after; null at the end of the journal. */
type MessagePage = { messages: StoredMessage[]; next: number | null };

/** Messages in the order of the journal, read from the journal itself: nothing that is committed is missing. */
export async function listMessages(
  events: Pick<EventStore, "pageAfter">,
  { viewer, after, limit }: ListMessages,
): Promise<MessagePage> {
  const messages: StoredMessage[] = [];
  const size = limit < FEW ? limit : PAGE;
  let place = after;
  for (let read = 0; read < MOST_EVENTS; read += size) {
    const page = events.pageAfter(place, size);
    for (const event of page) {
      if (messages.length === limit) return { messages, next: place };
      place = event.seq;
      if (event.type === "MessageAccepted" && maySee(event.data.message, viewer)) messages.push(event);
    }
    if (page.length < size) return { messages, next: null };
    if (messages.length === limit) return { messages, next: place };
    await nextTurn(); // For the others: this is only read.
  }
  return { messages, next: place };
}
