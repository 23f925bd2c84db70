import { createRotation } from "./rotation.js";

/** Only so many at once; the others wait for their turn, each in its order and in turn of whose they are. */
export type Slots = <T>(whose: string, run: () => Promise<T>) => Promise<T>;

export function createSlots(most: number): Slots {
  const waiting = createRotation<() => void>();
  let taken = 0;
  return async (whose, run) => {
    if (taken < most) taken += 1;
    else await new Promise<void>((resolve) => waiting.add(whose, resolve));
    try {
      return await run();
    } finally {
      const next = waiting.next();
      // Handed on as it is, so that nobody comes between.
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}
