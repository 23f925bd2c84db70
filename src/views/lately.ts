/** What was folded a moment ago, so that it need not be read back from its table. Those that are not here are there. */
type Lately<K, V> = {
  add(key: K, value: V): void;
  get(key: K): V | undefined;
  remove(key: K): void;
  clear(): void;
};

const KEPT = 256;

export function createLately<K, V>(): Lately<K, V> {
  const kept = new Map<K, V>();
  return {
    add(key, value) {
      if (kept.size >= KEPT) kept.clear();
      kept.set(key, value);
    },
    get: (key) => kept.get(key),
    remove: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}
