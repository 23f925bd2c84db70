import type { EventStore } from "../../journal/event-store.js";
import type { FeedSource } from "../../journal/feed.js";
import { type Follower, follow } from "../../journal/follow.js";
import type { HubEvent } from "../../model/events.js";
import { type CommsFile, type CommsFileOptions, openCommsFile } from "./comms-file.js";
import { type AddressThen, commsLines, encodeLine, type IsElsewhere } from "./comms-lines.js";

/*
 * Writes `logs/agent-comms.log`: every message and what became of it, for the person who wants to read along. It follows
 * the journal behind a cursor of its own. What cannot be written now (a full disk) is tried again later, from the
 * journal: nothing is kept in memory and nobody waits for it.
 */

const RETRY_MS = 5000;
/** Messages may be large: no more than this is put together at once. */
const PIECE_CHARACTERS = 1024 * 1024;

export type CommsLogPorts = CommsFileOptions &
  FeedSource & {
    events: Pick<EventStore, "get">;
    address: AddressThen;
    isElsewhere: IsElsewhere;
    onProblem: (error: unknown) => void;
    retryMs?: number;
  };

export function startCommsLog(ports: CommsLogPorts): Pick<Follower, "caughtUp" | "close"> {
  const { events, onProblem, retryMs = RETRY_MS } = ports;
  let file: CommsFile | undefined;
  /** A place beyond this is of another journal: a backup was restored. */
  let furthest = events.lastSeq();

  function linesOf(event: HubEvent): string {
    const { address, isElsewhere } = ports;
    return commsLines(event, { find: findMessage, address, isElsewhere }).map(encodeLine).join("");
  }

  function findMessage(seq: number) {
    const event = events.get(seq);
    return event?.type === "MessageAccepted" ? event.data.message : undefined;
  }

  return follow(ports, {
    retryMs,
    onProblem,
    async open() {
      file = await openCommsFile(ports);
      return Math.min(file.place(), furthest);
    },
    async take(slice) {
      let text = "";
      for (const event of slice) {
        text += linesOf(event);
        if (text.length < PIECE_CHARACTERS && event !== slice.at(-1)) continue;
        furthest = Math.max(furthest, event.seq);
        await file?.append(text, event.seq);
        text = "";
      }
    },
  });
}
