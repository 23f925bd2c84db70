import type { View } from "../journal/fold.js";
import { createRemembered } from "./remembered.js";

/*
 * The rows of a trailing view: kept in memory while they change, stored now and then. A row has a key of two parts, and
 * those of one first part that are not stored yet can be listed, for what a query of the table would miss.
 */
type WriteBehind<V> = {
  get(first: string, second: string): V | undefined;
  set(first: string, second: string, value: V): void;
  /** Rows that the table does not have yet, by the second part of their keys. */
  unstored(first: string): ReadonlyMap<string, V>;
  trails: NonNullable<View["trails"]>;
  /** Also what was never stored. */
  forget(): void;
};

type Table<V> = {
  read(first: string, second: string): V | undefined;
  write(first: string, second: string, value: V): void;
  /** How many stored rows are remembered. */
  remembered: number;
};

const none = new Map<string, never>();

export function createWriteBehind<V extends {}>({ read, write, remembered }: Table<V>): WriteBehind<V> {
  const unstored = new Map<string, Map<string, V>>();
  const stored = createRemembered<string, V>(remembered);
  let rows = 0;

  return {
    get: (first, second) =>
      unstored.get(first)?.get(second) ?? stored.get(keyOf(first, second), () => read(first, second)),
    set(first, second, value) {
      const own = unstored.get(first) ?? new Map<string, V>();
      unstored.set(first, own);
      rows -= own.size;
      own.set(second, value);
      rows += own.size;
    },
    unstored: (first) => unstored.get(first) ?? none,
    trails: {
      unstored: () => rows,
      store() {
        for (const [first, own] of unstored) {
          for (const [second, value] of own) {
            write(first, second, value);
            stored.set(keyOf(first, second), value);
          }
        }
        unstored.clear();
        rows = 0;
      },
    },
    forget() {
      unstored.clear();
      stored.forget();
      rows = 0;
    },
  };
}

/** The second part, which is an agent's id or a constant, has no line break. */
function keyOf(first: string, second: string): string {
  return `${first}\n${second}`;
}
