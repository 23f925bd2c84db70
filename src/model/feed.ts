import type { HubEvent } from "./events.js";

/** Hands out committed events, to each reader from its own place. */
export type Feed = { read(options: ReadOptions): FeedReader };

type ReadOptions = {
  after: number;
  /** It is given nothing before it says `resume`. */
  startsFull?: boolean;
  /** Takes events in order; false means: no more until `resume` is called. */
  deliver: (events: readonly HubEvent[]) => boolean;
  /** The journal could not be read: this reader is closed. */
  onFailure: (error: unknown) => void;
};

export type FeedReader = { place(): number; resume(): void; close(): void };
