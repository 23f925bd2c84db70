import type { HubEvent } from "../model/events.js";

/*
 * The newest events, as they were appended. Everybody who follows the journal is usually close behind its end: those
 * need not be read from the disk and parsed again for each of them.
 */

type RecentEvents = {
  add(events: readonly HubEvent[]): void;
  /** As the store's: undefined when it reaches back too far. */
  pageAfter(seq: number, limit: number, bytes?: number): HubEvent[] | undefined;
  clear(): void;
};

type RecentLimits = { events: number; bytes: number };

const LARGE = 8 * 1024;

export function createRecentEvents(limits: RecentLimits): RecentEvents {
  let kept: HubEvent[] = [];
  let size = 0;

  function clear() {
    kept = [];
    size = 0;
  }

  return {
    add(events) {
      for (const event of events) {
        const bytes = sizeOf(event);
        if (bytes > LARGE) {
          clear(); // It would crowd out many small ones: those after it are remembered from here on.
          continue;
        }
        kept.push(event);
        size += bytes;
      }
      if (kept.length <= limits.events && size <= limits.bytes) return;
      let drop = 0;
      // Half of it at once: dropping one by one would copy the rest each time.
      while (drop < kept.length && (kept.length - drop > limits.events / 2 || size > limits.bytes / 2)) {
        const oldest = kept[drop++];
        if (oldest !== undefined) size -= sizeOf(oldest);
      }
      kept = kept.slice(drop);
    },
    pageAfter(seq, limit, bytes = Number.POSITIVE_INFINITY) {
      const [first] = kept;
      if (first === undefined || seq < first.seq - 1) return undefined;
      // Numbers have no gaps but those of commands that were rolled back, so the place is near this.
      let start = Math.min(Math.max(0, seq - first.seq + 1), kept.length);
      while (start > 0 && (kept[start - 1]?.seq ?? 0) > seq) start--;
      const page: HubEvent[] = [];
      let taken = 0;
      for (let i = start; i < kept.length && page.length < limit; i++) {
        const event = kept[i];
        if (event === undefined) break;
        taken += sizeOf(event);
        if (page.length > 0 && taken > bytes) break;
        page.push(event);
      }
      return page;
    },
    clear,
  };
}

/** About what it takes in memory and on the wire. */
function sizeOf(event: HubEvent): number {
  if (event.type !== "MessageAccepted") return 300;
  const { content, context, to } = event.data.message;
  return 600 + content.length + (context?.length ?? 0) + to.length * 80;
}
