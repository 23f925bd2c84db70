/** " until 2026-11-17 14:40 UTC", or nothing when that is not known. For readers whose clock we do not know. */
export function untilWords(until: number | null | undefined): string {
  if (until == null) return "";
  return ` until ${new Date(until).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
