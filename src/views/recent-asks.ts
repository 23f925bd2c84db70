import { createEventStore } from "../journal/event-store.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { HubEvent } from "../model/events.js";

/**
 * When each agent posted and nudged requests within the last minute of hub time. Asked at every request, so kept in
 * memory; when first asked, read from the end of the journal.
 */
type RecentAsks = {
  count(agent: AgentId, hubTime: number): void;
  /** Oldest first. */
  since(agent: AgentId, now: number): readonly number[];
  forget(): void;
};

const MINUTE_MS = 60_000;
const PAGE = 500;
/** How many events are read back at most: of a hub that is as busy as that, the start of a minute may be missed. */
const READ_BACK = 20_000;

export function createRecentAsks(db: Database): RecentAsks {
  const events = createEventStore(db);
  let asks: Map<AgentId, number[]> | undefined;

  function read(since: number): Map<AgentId, number[]> {
    const found = new Map<AgentId, number[]>();
    const newest = events.lastSeq();
    for (let before = newest + 1; before > newest - READ_BACK; ) {
      const page = events.pageBefore(before, PAGE);
      for (const event of page) {
        if (event.hubTime < since) return found;
        const agent = askerIn(event);
        if (agent === undefined) continue;
        const times = found.get(agent) ?? [];
        times.unshift(event.hubTime);
        found.set(agent, times);
      }
      const oldest = page.at(-1);
      if (oldest === undefined) break;
      before = oldest.seq;
    }
    return found;
  }

  return {
    count(agent, hubTime) {
      if (asks === undefined) return;
      const times = lastMinute(asks.get(agent), hubTime);
      times.push(hubTime);
      asks.set(agent, times);
    },
    since(agent, now) {
      asks ??= read(now - MINUTE_MS);
      return lastMinute(asks.get(agent), now);
    },
    forget() {
      asks = undefined;
    },
  };
}

function lastMinute(times: number[] = [], now: number): number[] {
  while (times[0] !== undefined && now - times[0] >= MINUTE_MS) times.shift();
  return times;
}

function askerIn(event: HubEvent): AgentId | undefined {
  if (event.type === "RequestOpened") return event.data.request.from;
  return event.type === "RequestNudged" ? event.data.by : undefined;
}
