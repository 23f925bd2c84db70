import type { DirectoryEntry, DirectoryPage } from "../model/link.js";

/* A directory is read in pages, in order of names and then of teams. Where a page ends is told by the last one on it. */

type PlacedEntry = Pick<DirectoryEntry, "name" | "team">;

/** `NAME/TEAM`. */
export function placeOf({ name, team }: PlacedEntry): string {
  return `${name}/${team}`;
}

function isAfter(entry: PlacedEntry, place: string | undefined): boolean {
  if (place === undefined) return true;
  const [name = "", team = ""] = place.split("/");
  return compareEntries(entry, { name, team }) > 0;
}

function compareEntries(a: PlacedEntry, b: PlacedEntry): number {
  return compare(a.name, b.name) || compare(a.team, b.team);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** `next`: where the page after it begins; absent at the end. */
export function cutPage<E extends PlacedEntry>(
  entries: readonly E[],
  { limit, after, name }: DirectoryPage,
): { agents: readonly E[]; next?: string } {
  const found = entries
    .filter((entry) => (name === undefined || entry.name === name) && isAfter(entry, after))
    .sort(compareEntries);
  const agents = found.slice(0, limit);
  const last = agents.at(-1);
  return { agents, ...(found.length > limit && last !== undefined ? { next: placeOf(last) } : {}) };
}
