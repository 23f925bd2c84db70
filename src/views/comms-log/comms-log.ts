import { setTimeout as sleep } from "node:timers/promises";
import { createCrowded } from "../../journal/crowded.js";
import type { EventStore } from "../../journal/event-store.js";
import type { HubEvent } from "../../model/events.js";
import { type CommsFile, type CommsFileOptions, openCommsFile } from "./comms-file.js";
import { commsLines, encodeLine } from "./comms-lines.js";

/*
 * Writes `logs/agent-comms.log`: every message and what became of it, for the person who wants to read along. It follows
 * the journal behind a cursor of its own. What cannot be written now (a full disk) is tried again later, from the
 * journal: nothing is kept in memory and nobody waits for it.
 */

const SLICE = 200;
const SLICE_BYTES = 1024 * 1024;
const GATHER_MS = 50;
const BETWEEN_MS = 5;
/** While messages come faster than anybody reads along, they are written a little later. */
const CROWDED_MS = 250;
const RETRY_MS = 5000;
/** Messages may be large: no more than this is put together at once. */
const PIECE_CHARACTERS = 1024 * 1024;

type CommsLog = { caughtUp(): Promise<void>; close(): Promise<void> };

export type CommsLogPorts = CommsFileOptions & {
  events: Pick<EventStore, "get" | "pageAfter" | "lastSeq">;
  onCommitted: (listener: () => void) => () => void;
  onProblem: (error: unknown) => void;
  retryMs?: number;
};

export function startCommsLog(ports: CommsLogPorts): CommsLog {
  const { events, onCommitted, onProblem, retryMs = RETRY_MS } = ports;
  const newest = events.lastSeq();
  let opened: CommsFile | undefined;
  let place = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  let closed = false;
  let waiting = 0;
  const isCrowded = createCrowded(events.lastSeq);

  async function follow(): Promise<void> {
    try {
      if (opened === undefined) {
        opened = await openCommsFile(ports);
        // A place beyond the journal was in another one: a backup was restored.
        place = Math.min(opened.place(), newest);
      }
      while (!closed && (await writePage(opened))) {
        await sleep(waiting === 0 && isCrowded() ? CROWDED_MS : BETWEEN_MS, undefined, { ref: false });
      }
      failing = false;
    } catch (error) {
      if (!failing) onProblem(error); // Once, not for every line that waits.
      failing = true;
    }
  }

  /** Whether there may be more. */
  async function writePage(file: CommsFile): Promise<boolean> {
    const page = events.pageAfter(place, SLICE, SLICE_BYTES);
    let text = "";
    for (const event of page) {
      text += linesOf(event);
      if (text.length < PIECE_CHARACTERS && event !== page.at(-1)) continue;
      await file.append(text, event.seq);
      place = event.seq;
      text = "";
    }
    return page.length > 0 && place < events.lastSeq();
  }

  function linesOf(event: HubEvent): string {
    return commsLines(event, findMessage).map(encodeLine).join("");
  }

  function findMessage(seq: number) {
    const event = events.get(seq);
    return event?.type === "MessageAccepted" ? event.data.message : undefined;
  }

  function wake(afterMs: number) {
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = (running ?? Promise.resolve()).then(follow).finally(() => {
        if (failing) wake(retryMs);
        else if (place < events.lastSeq()) wake(GATHER_MS); // It came while that failed.
      });
    }, afterMs);
    timer.unref();
  }

  const unlisten = onCommitted(() => {
    if (!failing) wake(GATHER_MS);
  });
  wake(0);
  return {
    async caughtUp() {
      waiting++;
      while (place < events.lastSeq() && !closed && !failing) {
        wake(0);
        await sleep(BETWEEN_MS);
      }
      waiting--;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      unlisten();
      await running;
    },
  };
}
