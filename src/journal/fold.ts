import { type EventOf, type EventType, eventTypes, type HubEvent } from "../model/events.js";

/** How one view takes in events: a function per event type that it cares for. */
type Folds = { [T in EventType]?: (event: EventOf<T>) => void };

export type View = {
  /** Its tables, emptied before a rebuild. */
  tables: readonly string[];
  folds: Folds;
  /** Rows that are of no further use once the events behind them are pruned: they go with them. */
  ended?: readonly EndedRows[];
  /** The oldest event that something unfinished still needs, for `prune`. */
  oldestNeeded?: () => number | undefined;
  /** Forgets what it remembers outside of its tables: what it had seen was rolled back, or rows were pruned. */
  forget?: () => void;
  /** Writes the rows that it keeps back while a batch runs, since most of them change again. Asked for before the commit. */
  settle?: () => void;
  /** It is kept in memory and stored now and then. Its folds MUST bear an event that its rows hold already. */
  trails?: Trail;
};

type Trail = {
  store(): void;
  /** How many rows that would write. */
  unstored(): number;
};

/** A condition in SQL on the rows of one of the view's tables. What it says MUST hold forever once it holds. */
type EndedRows = { table: string; where: string };

type ApplyEvent = (event: HubEvent) => void;

/** One function that takes an event through every view, in the order given. */
export function createFold(views: readonly View[]): ApplyEvent {
  const byType = new Map<EventType, ApplyEvent[]>();
  for (const view of views) {
    for (const type of eventTypes) {
      // oxlint-disable-next-line typescript/consistent-type-assertions -- each fold is only called with its own type of event
      const fold = view.folds[type] as ApplyEvent | undefined;
      if (fold === undefined) continue;
      byType.set(type, [...(byType.get(type) ?? []), fold]);
    }
  }
  return (event) => {
    for (const fold of byType.get(event.type) ?? []) fold(event);
  };
}
