/**
 * Asks again until the answer is there. The limit is for what never comes: where several CLIs start at once on a slow machine, one may
 * take a minute to.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  limitMs = 120_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`did not happen in ${limitMs} ms: ${what}`);
    await new Promise((again) => setTimeout(again, 50));
  }
}
