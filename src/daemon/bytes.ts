const KIB = 1024;
const units = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: KIB,
  MiB: KIB ** 2,
  GiB: KIB ** 3,
} as const;
const largestFirst = ["GiB", "GB", "MiB", "MB", "KiB", "kB", "B"] as const;

/**
 * `1MiB`, `64kB` or a plain number, in bytes; undefined for anything else. Upper and lower case are one, because no
 * unit differs by case alone; `1M` is refused, because it means a million to some and 1,048,576 to others.
 */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text);
  if (match === null) return undefined;
  const wanted = (match[2] === "" ? "B" : (match[2] ?? "")).toLowerCase();
  const unit = largestFirst.find((name) => name.toLowerCase() === wanted);
  if (unit === undefined) return undefined;
  const bytes = Number(match[1]) * units[unit];
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** As a person would write it: in the unit that leaves the smallest whole number. */
export function formatBytes(bytes: number): string {
  if (bytes === 0) return "0";
  const unit = largestFirst.find((name) => bytes % units[name] === 0) ?? "B";
  return unit === "B" ? String(bytes) : `${bytes / units[unit]}${unit}`;
}
