/*
 * Names that no agent may have: words that address something other than one agent, and words by which it could pass for the
 * person or for the hub. What a reader takes for one of them counts as that word: `u-s-e-r`, `us3r`, `hurnan`.
 */

export const RESERVED_NAMES = [
  "all",
  "broadcast",
  "hub",
  "human",
  "user",
  "system",
  "operator",
  "person",
  "admin",
  "owner",
  "root",
  "huddle",
] as const;

/** Within the alphabet of names, what looks like which letter. Of `1`, `i` and `l` each looks like the others. */
const LOOKALIKES = new Map([
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["3", "e"],
  ["4", "a"],
  ["5", "s"],
  ["7", "t"],
  ["rn", "m"],
]);

/** Nobody passes for `all`, and `ali` and `a11` are names that people give. */
const bySkeleton = new Map(
  RESERVED_NAMES.filter((name) => name !== "all").map((name) => [skeletonOf(name), name]),
);

/** The reserved name that this one is, or reads like. */
export function reservedLike(name: string): string | undefined {
  const letters = name.replace(/[-_]/g, "");
  return RESERVED_NAMES.find((reserved) => reserved === letters) ?? bySkeleton.get(skeletonOf(letters));
}

function skeletonOf(letters: string): string {
  return letters.replace(/rn|[013457i]/g, (part) => LOOKALIKES.get(part) ?? part);
}
