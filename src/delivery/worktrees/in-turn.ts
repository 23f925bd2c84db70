/** One after the other for each key, whatever became of the one before. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    const tidy = () => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(tidy, tidy);
    return mine;
  };
}
