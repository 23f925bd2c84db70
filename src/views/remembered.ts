import { LRUCache } from "lru-cache";

/** What was read from a table lately, so that it is not read again: also that there was nothing. */
type Remembered<K extends {}, V> = {
  get(key: K, read: () => V | undefined): V | undefined;
  set(key: K, value: V): void;
  /** There is nothing any more. */
  remove(key: K): void;
  forget(): void;
};

const NOTHING = Symbol("nothing");

export function createRemembered<K extends {}, V extends {}>(max: number): Remembered<K, V> {
  const known = new LRUCache<K, V | typeof NOTHING>({ max });
  return {
    get(key, read) {
      const before = known.get(key);
      if (before !== undefined) return before === NOTHING ? undefined : before;
      const value = read();
      known.set(key, value ?? NOTHING);
      return value;
    },
    set: (key, value) => void known.set(key, value),
    remove: (key) => void known.set(key, NOTHING),
    forget: () => known.clear(),
  };
}
