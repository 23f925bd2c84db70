const FIRST_MS = 500;
const MOST_MS = 60_000;

/** How long to leave a peer alone after so many failures in a row. `random` is from 0 to 1: hubs must not all come back at once. */
export function backoffMs(failures: number, random: number): number {
  const usual = Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), MOST_MS);
  return Math.round(usual * (0.75 + 0.25 * random));
}
