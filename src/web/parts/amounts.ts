/* Amounts as people read them. */

const byteUnits = ["kB", "MB", "GB", "TB"] as const;

/** `41 MB`, `2.1 MB`, `18.4 GB` */
export function sayBytes(bytes: number): string {
  let value = bytes;
  let unit: string = "B";
  for (const next of byteUnits) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return `${unit === "B" || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`;
}

/** `48 391` */
export function sayCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** Tokens and the like, roughly: `940`, `12.4 k`, `3.1 M`. */
export function sayRoughly(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} k` : `${(count / 1_000_000).toFixed(1)} M`;
}

/** `$0.0412`, `$12.40`; a dash where nobody told. */
export function sayDollars(usd: number | null): string {
  return usd === null ? "–" : `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}
