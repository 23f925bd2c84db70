import { setTimeout as sleep } from "node:timers/promises";
import { type AgentId, HUB_ID } from "../model/agent.js";
import type { HubEvent } from "../model/events.js";
import type { Feed } from "../model/feed.js";
import type { ConversationId, MessageId } from "../model/message.js";
import { type ActiveConversation, createConversationActivity } from "./conversation-activity.js";

/*
 * How many messages went each way between two, minute by minute, for the last ten, and in which conversations something was
 * written in the last hour. It is kept in memory, and only once somebody has asked: then the journal is read, and followed.
 */

export const MINUTES = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Of the hour before the last ten minutes no more is read back than so many events. */
const READ_BACK = 50_000;
const CATCH_UP_MS = 2_000;
const LOOK_MS = 5;

export type PairTraffic = {
  from: AgentId;
  to: AgentId;
  /** Oldest first; the last is the minute that runs now. */
  minutes: readonly number[];
  /** Wall time of the newest. */
  last: number;
  /** The newest. */
  message: MessageId | null;
  conversation: ConversationId | null;
};

type Ports = {
  feed: Feed;
  /** The newest event before that wall time. */
  seqBefore(wall: number): number;
  lastSeq(): number;
  wall(): number;
  onProblem(error: unknown): void;
};

type Counts = Omit<PairTraffic, "minutes"> & { byMinute: Map<number, number> };

export function createTraffic({ feed, seqBefore, lastSeq, wall, onProblem }: Ports) {
  const pairs = new Map<string, Counts>();
  const conversations = createConversationActivity();
  let reader: ReturnType<Feed["read"]> | undefined;

  function count(event: HubEvent) {
    if (event.type !== "MessageAccepted" || event.data.message.from === HUB_ID) return;
    conversations.count(event);
    const { from, to, id, conversation } = event.data.message;
    const minute = Math.floor(event.at / MINUTE_MS);
    for (const { agent } of to) {
      const key = `${from} ${agent}`;
      const counts = pairs.get(key) ?? { ...silentPair(from, agent), byMinute: new Map<number, number>() };
      counts.message = id;
      counts.conversation = conversation;
      counts.byMinute.set(minute, (counts.byMinute.get(minute) ?? 0) + 1);
      counts.last = Math.max(counts.last, event.at);
      pairs.set(key, counts);
    }
  }

  /** What lies further back than is told. */
  function forgetOld(now: number) {
    for (const [key, { byMinute }] of pairs) {
      for (const minute of byMinute.keys()) if (minute <= now - MINUTES) byMinute.delete(minute);
      if (byMinute.size === 0) pairs.delete(key);
    }
  }

  async function follow(): Promise<void> {
    reader ??= feed.read({
      after: Math.min(
        seqBefore(wall() - MINUTES * MINUTE_MS),
        Math.max(seqBefore(wall() - HOUR_MS), lastSeq() - READ_BACK),
      ),
      deliver(events) {
        for (const event of events) count(event);
        return true;
      },
      onFailure(error) {
        reader = undefined;
        pairs.clear();
        conversations.clear();
        onProblem(error);
      },
    });
    const until = wall() + CATCH_UP_MS;
    while (reader !== undefined && reader.place() < lastSeq() && wall() < until) await sleep(LOOK_MS);
  }

  return {
    /** Of every two who wrote to each other in these minutes. */
    async read(): Promise<PairTraffic[]> {
      await follow();
      const now = Math.floor(wall() / MINUTE_MS);
      forgetOld(now);
      return [...pairs.values()].map(({ byMinute, ...pair }) => ({
        ...pair,
        minutes: Array.from({ length: MINUTES }, (_, i) => byMinute.get(now - MINUTES + 1 + i) ?? 0),
      }));
    },
    /** In which something was written in the last hour, the newest first. */
    async conversations(): Promise<ActiveConversation[]> {
      await follow();
      return conversations.since(wall() - HOUR_MS);
    },
    close: () => reader?.close(),
  };
}

/** Of which nothing is known yet. */
export function silentPair(from: AgentId, to: AgentId): Omit<PairTraffic, "minutes"> {
  return { from, to, last: 0, message: null, conversation: null };
}
