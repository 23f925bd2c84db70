/** Only so many at once; the others wait for their turn, in order. */
export type Slots = <T>(run: () => Promise<T>) => Promise<T>;

export function createSlots(most: number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (run) => {
    if (taken < most) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      // Handed on as it is, so that nobody comes between.
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}
