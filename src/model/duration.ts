const SECOND = 1000;
const units = { ms: 1, s: SECOND, m: 60 * SECOND, h: 3600 * SECOND, d: 86_400 * SECOND } as const;
const largestFirst = ["d", "h", "m", "s", "ms"] as const;

/** `30s`, `500ms`, `1.5h` in milliseconds; undefined for anything else, a bare number included. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(text);
  const unit = largestFirst.find((name) => name === match?.[2]);
  if (match === null || unit === undefined) return undefined;
  const milliseconds = Number(match[1]) * units[unit];
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}

/** As a person would write it: in the largest unit that leaves a whole number. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return "0s";
  const unit = largestFirst.find((name) => milliseconds % units[name] === 0) ?? "ms";
  return `${milliseconds / units[unit]}${unit}`;
}
