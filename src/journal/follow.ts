import type { HubEvent } from "../model/events.js";
import { createCrowded } from "./crowded.js";
import { createFeed, type FeedSource } from "./feed.js";

/*
 * A follower takes in every event after its place, a slice at a time, and stores its place with what it made of them.
 * Nobody waits for it: it pauses before and after each slice, longer while messages come fast, and catches up later.
 * When something fails it opens again after a while, at the place that is stored.
 */

/** Lets the answers to a commit be written, and more events gather. */
const GATHER_MS = 50;
const BETWEEN_MS = 5;
/** While messages come faster than anybody reads. */
const CROWDED_MS = 250;
const RETRY_MS = 1000;

type FollowOptions = {
  /** Where it left off. Asked for at the start, and again after a failure. */
  open: () => number | Promise<number>;
  /** Takes in a slice, and stores that it has come up to the slice's last event. */
  take: (events: readonly HubEvent[]) => void | Promise<void>;
  /** Upkeep, a slice at a time, once it has caught up: whether there is more to do. */
  tidy?: () => boolean | Promise<boolean>;
  /** Told of the first failure, not of each that follows it. */
  onProblem: (error: unknown) => void;
  startAfterMs?: number;
  retryMs?: number;
};

export type Follower = {
  /** Undefined until it is known. */
  place(): number | undefined;
  /** Resolves once it has all that is committed now, or is closed. While it fails that takes longer. */
  caughtUp(): Promise<void>;
  /** Has `tidy` called until there is no more to do. */
  tidy(): void;
  /** What it relies on failed elsewhere: it opens again. */
  fail(error: unknown): void;
  close(): Promise<void>;
};

export function follow(source: FeedSource, options: FollowOptions): Follower {
  const { open, take, tidy, onProblem, startAfterMs = 0, retryMs = RETRY_MS } = options;
  const { lastSeq } = source.events;
  const feed = createFeed(source);
  const isCrowded = createCrowded(lastSeq);
  let place: number | undefined;
  /** At most one: the reader is told to wait until it is taken. */
  let slices: (readonly HubEvent[])[] = [];
  let waiting: { seq: number; resolve: () => void }[] = [];
  let isTidying = false;
  let isReported = false;
  let isRetrying = false;
  let isClosed = false;
  let failure: { error: unknown } | undefined;
  let wake = () => {};

  /** Until it is woken, at the latest after so long. */
  function sleep(ms?: number): Promise<void> {
    if (isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run() {
    await sleep(startAfterMs);
    while (!isClosed) {
      try {
        failure = undefined;
        await followFrom(await open());
      } catch (error) {
        if (isClosed) return;
        if (!isReported) onProblem(error);
        isReported = true;
        isRetrying = true;
        await sleep(retryMs);
        isRetrying = false;
      }
    }
  }

  async function followFrom(start: number) {
    place = start;
    slices = [];
    const reader = feed.read({
      after: start,
      startsFull: true,
      deliver(events) {
        slices.push(events);
        wake();
        return false;
      },
      onFailure: fail,
    });
    try {
      while (!isClosed) {
        reader.resume();
        if (failure !== undefined) throw failure.error;
        const slice = slices.shift();
        if (slice !== undefined) {
          await take(slice);
          place = slice.at(-1)?.seq ?? place;
          isReported = false;
          settle(place);
          await sleep(waiting.length === 0 && isCrowded() ? CROWDED_MS : BETWEEN_MS);
          continue;
        }
        settle(Number.POSITIVE_INFINITY);
        if (isTidying && tidy !== undefined) {
          isTidying = await tidy();
          await sleep(BETWEEN_MS);
        } else {
          await sleep();
          if (waiting.length === 0) await sleep(GATHER_MS);
        }
      }
    } finally {
      reader.close();
    }
  }

  /** Those who waited for no more than this go on. */
  function settle(upTo: number) {
    for (const { seq, resolve } of waiting) if (seq <= upTo) resolve();
    waiting = waiting.filter(({ seq }) => seq > upTo);
  }

  function hurry() {
    if (!isRetrying) wake();
  }

  function fail(error: unknown) {
    failure ??= { error };
    hurry();
  }

  const running = run();
  return {
    place: () => place,
    caughtUp() {
      const seq = lastSeq();
      if (isClosed || (place !== undefined && place >= seq)) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push({ seq, resolve });
        hurry();
      });
    },
    tidy() {
      isTidying = true;
      hurry();
    },
    fail,
    async close() {
      isClosed = true;
      wake();
      settle(Number.POSITIVE_INFINITY);
      await running;
    },
  };
}
