const units = ["kB", "MB", "GB", "TB"] as const;

/** `41.0 MB`, `999 B` */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  let value = bytes;
  let unit = "";
  for (const next of units) {
    if (value < 999.95) break;
    value /= 1_000;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}
