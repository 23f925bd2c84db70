/** How often in a minute, without its unit: `24`, `0.4`, `0`. */
export function sayRate(perMinute: number): string {
  if (perMinute === 0) return "0";
  return perMinute < 0.95 ? Math.max(0.1, perMinute).toFixed(1) : String(Math.round(perMinute));
}
