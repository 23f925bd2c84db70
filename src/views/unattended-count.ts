import { createEventStore } from "../journal/event-store.js";
import type { Database } from "../journal/sqlite/port.js";
import { HUB_ID, HUMAN_ID } from "../model/agent.js";
import type { Message } from "../model/message.js";

/**
 * Messages between agents since a person last spoke. Asked at every send, so counted in memory, by five minutes of hub
 * time; when first asked, from the end of the journal.
 */
type UnattendedCount = {
  count(message: Message, hubTime: number): void;
  since(hubTime: number): number;
  forget(): void;
};

const SLOT_MS = 5 * 60_000;
const SLOTS = 1000;
const PAGE = 500;
/** How many events are read back at most. There may have been more; no limit that is of use is as high. */
const READ_BACK = 20_000;

export function createUnattendedCount(db: Database): UnattendedCount {
  const events = createEventStore(db);
  let slots: Map<number, number> | undefined;

  function read(since: number): Map<number, number> {
    const found = new Map<number, number>();
    const newest = events.lastSeq();
    for (let before = newest + 1; before > newest - READ_BACK; ) {
      const page = events.pageBefore(before, PAGE);
      for (const { type, data, hubTime } of page) {
        if (hubTime < since) return found;
        if (type !== "MessageAccepted") continue;
        if (data.message.from === HUMAN_ID) return found;
        add(found, data.message, hubTime);
      }
      const oldest = page.at(-1);
      if (oldest === undefined) break;
      before = oldest.seq;
    }
    return found;
  }

  return {
    count(message, hubTime) {
      if (slots === undefined) return;
      if (message.from === HUMAN_ID || slots.size > SLOTS) slots = undefined;
      else add(slots, message, hubTime);
    },
    since(hubTime) {
      const first = Math.floor(hubTime / SLOT_MS);
      slots ??= read(first * SLOT_MS);
      let total = 0;
      for (const [slot, n] of slots) if (slot >= first) total += n;
      return total;
    },
    forget() {
      slots = undefined;
    },
  };
}

function add(slots: Map<number, number>, message: Message, hubTime: number): void {
  if (!startsTurns(message)) return;
  const slot = Math.floor(hubTime / SLOT_MS);
  slots.set(slot, (slots.get(slot) ?? 0) + message.to.length);
}

/** Whether it is mail between agents that can make its reader do something. */
export function startsTurns(message: Message): boolean {
  if (message.attention === "fyi" || message.from === HUMAN_ID || message.from === HUB_ID) return false;
  return message.to.some(({ agent }) => agent !== HUMAN_ID);
}
