import type { HubEvent } from "../model/events.js";
import type { Feed } from "../model/feed.js";
import type { EventStore } from "./event-store.js";
import type { Listen } from "./signal.js";

/*
 * Readers of the journal, each at its own place in it. A reader is always in one of these modes:
 *
 *   live     it has everything; a commit's events are handed to it as they are
 *   behind   it is given pages from the journal until it has caught up
 *   full     it took all that it can for now; it goes on from its place once it says so
 *   closed
 *
 * A reader that was away or is slow costs a number, not memory.
 */

const PAGE = 200;
/** Two hundred large messages at once, for each of many readers, would not fit into memory. */
const PAGE_BYTES = 256 * 1024;

export type FeedSource = {
  events: Pick<EventStore, "pageAfter" | "lastSeq">;
  onCommitted: Listen<readonly HubEvent[]>;
};

export function createFeed({ events, onCommitted }: FeedSource): Feed {
  return {
    read({ after, startsFull = false, deliver, onFailure }) {
      let place = after;
      let mode: "live" | "behind" | "full" | "closed" = startsFull ? "full" : "behind";

      function take(page: readonly HubEvent[]) {
        place = page.at(-1)?.seq ?? place;
        const more = deliver(page);
        if (!more && mode !== "closed") mode = "full";
      }

      function catchUp() {
        if (mode !== "behind") return;
        const page = readPage();
        if (page === undefined) return;
        if (page.length === 0) {
          mode = "live";
          return;
        }
        take(page);
        setImmediate(catchUp);
      }

      function readPage() {
        try {
          return events.pageAfter(place, PAGE, PAGE_BYTES);
        } catch (error) {
          close();
          onFailure(error);
          return undefined;
        }
      }

      function close() {
        mode = "closed";
        stop();
      }

      const stop = onCommitted((committed) => {
        if (mode !== "live") return;
        const fresh =
          committed[0] !== undefined && committed[0].seq > place ? committed : committed.filter(isFresh);
        if (fresh.length > 0) take(fresh);
      });
      const isFresh = (event: HubEvent) => event.seq > place;

      setImmediate(catchUp);
      return {
        place: () => place,
        resume() {
          if (mode !== "full") return;
          mode = "behind";
          catchUp();
        },
        close,
      };
    },
  };
}
