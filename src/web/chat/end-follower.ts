/*
 * Whether the reading column stays at its end while something is added there. It does within 48 pixels of the end, unless the
 * reader selects text or has a ladder open; else what comes is counted.
 */

const NEAR_PX = 48;

type Place = { offset: number; size: number; viewport: number };

export function isAtEnd({ offset, size, viewport }: Place): boolean {
  return size - offset - viewport <= NEAR_PX;
}

/** How many came after what stood last when the reader left the end. */
export function countNew(keys: readonly string[], lastRead: string | undefined): number {
  if (lastRead === undefined) return 0;
  const at = keys.lastIndexOf(lastRead);
  return at === -1 ? 0 : keys.length - 1 - at;
}

/** Rows were added to, or taken from, the beginning. */
export function hasShifted(before: readonly string[], after: readonly string[]): boolean {
  const [first] = before;
  const [now] = after;
  if (first === undefined || now === undefined || first === now) return false;
  return after.includes(first) || before.includes(now);
}
