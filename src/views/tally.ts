/** A number for each key, counted where it is stored when it is first asked for and kept in step from then on. */
type Tally<K> = {
  of(key: K): number;
  /** Call it before the rows change: what is not known yet is counted as they are. */
  add(key: K, change: number): void;
  clear(): void;
};

export function createTally<K>(count: (key: K) => number): Tally<K> {
  const known = new Map<K, number>();
  function of(key: K): number {
    const n = known.get(key) ?? count(key);
    known.set(key, n);
    return n;
  }
  return {
    of,
    add: (key, change) => void known.set(key, of(key) + change),
    clear: () => known.clear(),
  };
}
