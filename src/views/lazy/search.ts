import { setTimeout as sleep } from "node:timers/promises";
import { createCrowded } from "../../journal/crowded.js";
import type { EventStore } from "../../journal/event-store.js";
import type { HubEvent } from "../../model/events.js";
import { type SearchAsk, type SearchPort, startSearchThread } from "./search-port.js";
import { indexMessage, toExpression, type Wanted } from "./search-words.js";

/*
 * Full text of every message, in a file and a thread of its own. It follows the journal behind a cursor that is stored
 * with it: pages are read here and handed over, one at a time, with a pause after each for the senders. It lags under
 * load and never slows them; lost or damaged, it is made anew.
 */

/** Raised when what is indexed changes: the file is then made anew. */
const VERSION = 1;
const SLICE = 200;
const SLICE_BYTES = 1024 * 1024;
const GATHER_MS = 20;
/** After the start, when others have more to do; whoever searches sooner has it begin at once. */
const FIRST_MS = 300;
const BETWEEN_MS = 10;
const RETRY_MS = 1000;
/** So many events are indexed in a moment, also while the thread starts on a busy machine. */
const NEAR = 2000;
const NEAR_WAIT_MS = 5000;
const FAR_WAIT_MS = 250;
/** Between slices while messages come faster than they are indexed: they are found a little later instead. */
const CROWDED_MS = 250;

export type FindMessages = Wanted & {
  /** Sequence numbers between these, newest first. */
  after: number;
  before: number;
  limit: number;
};

export type Search = {
  find(wanted: FindMessages): Promise<number[]>;
  /**
   * Resolves once everything that is committed now can be found. What was just sent is waited for; an index that is far
   * behind, because messages come too fast or because it is being made anew, is not.
   */
  caughtUp(): Promise<void>;
  /** Removes, by and by, what is known of events up to `upTo`. */
  prune(upTo: number): void;
  close(): Promise<void>;
};

type SearchPorts = {
  file: string;
  events: Pick<EventStore, "pageAfter" | "lastSeq">;
  onCommitted: (listener: () => void) => () => void;
  onProblem: (error: unknown) => void;
};

export function openSearch({ file, events, onCommitted, onProblem }: SearchPorts): Search {
  const isCrowded = createCrowded(events.lastSeq);
  let thread: SearchPort | undefined;
  let place: number | undefined;
  let pruneUpTo = 0;
  let running = false;
  let closed = false;
  let damaged = false;
  let timer: NodeJS.Timeout | undefined;
  let waiting: { seq: number; resolve: () => void }[] = [];

  function ask(question: SearchAsk): Promise<number[]> {
    if (thread === undefined || thread.hasEnded()) {
      place = undefined;
      // An index that is ahead of the journal is made anew, and any is ahead of an empty one.
      thread = startSearchThread({ file, version: VERSION, newest: damaged ? -1 : events.lastSeq() });
      damaged = false;
    }
    return thread.ask(question);
  }

  async function follow() {
    if (running || closed) return;
    running = true;
    try {
      while (!closed && (await step()))
        await pause(waiting.length === 0 && isCrowded() ? CROWDED_MS : BETWEEN_MS);
    } catch (error) {
      if (!closed) await startOver(error);
    }
    running = false;
    if (closed) return; // The journal may be closed as well by now.
    if (place !== undefined && place < events.lastSeq()) wake(GATHER_MS);
  }

  /** Whether there is more to do at once. */
  async function step(): Promise<boolean> {
    place ??= (await ask({ kind: "place" }))[0] ?? 0;
    if (closed) return false;
    const page = events.pageAfter(place, SLICE, SLICE_BYTES);
    const last = page.at(-1)?.seq;
    if (last !== undefined) {
      await ask({ kind: "add", rows: page.flatMap(toRow), upTo: last });
      place = last;
    }
    settle();
    if (last !== undefined && last < events.lastSeq()) return true;
    if (pruneUpTo === 0) return false;
    const [removed] = await ask({ kind: "prune", upTo: pruneUpTo, limit: SLICE });
    if (removed === 0) pruneUpTo = 0;
    return removed !== 0;
  }

  function settle() {
    const reached = place ?? 0;
    for (const { seq, resolve } of waiting) if (seq <= reached) resolve();
    waiting = waiting.filter(({ seq }) => seq > reached);
  }

  /** The thread or its file failed: another is started, which makes the file anew if it has to. */
  async function startOver(error: unknown) {
    onProblem(error);
    damaged ||= error instanceof Error && /malformed|corrupt|not a database/.test(error.message);
    await thread?.close();
    wake(RETRY_MS);
  }

  function wake(afterMs: number) {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      void follow();
    }, afterMs).unref();
  }

  const unlisten = onCommitted(() => {
    if (!running && timer === undefined) wake(GATHER_MS);
  });
  wake(FIRST_MS);

  return {
    async find(wanted) {
      const expression = toExpression(wanted);
      if (expression === "nothing") return [];
      const { after, before, limit } = wanted;
      try {
        return await ask({ kind: "find", expression, after, before, limit });
      } catch (error) {
        if (!closed) await startOver(error);
        throw error;
      }
    },
    caughtUp() {
      const seq = events.lastSeq();
      if (place !== undefined && place >= seq) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push({ seq, resolve });
        setTimeout(() => {
          if (closed || (place !== undefined && events.lastSeq() - place > NEAR)) resolve();
        }, FAR_WAIT_MS).unref();
        setTimeout(resolve, NEAR_WAIT_MS).unref();
        wake(0);
      });
    },
    prune(upTo) {
      pruneUpTo = Math.max(pruneUpTo, upTo);
      wake(BETWEEN_MS);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      unlisten();
      for (const { resolve } of waiting.splice(0)) resolve();
      await thread?.close();
    },
  };
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}

function toRow(event: HubEvent) {
  return event.type === "MessageAccepted" ? [{ seq: event.seq, ...indexMessage(event.data.message) }] : [];
}
