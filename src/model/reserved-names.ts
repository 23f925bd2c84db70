import { foldPlain } from "./plain-lookalikes.js";

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

/** Nobody passes for `all`, and `ali` and `a11` are names that people give. */
const byLook = new Map(
  RESERVED_NAMES.filter((name) => name !== "all").map((name) => [foldPlain(name), name]),
);

/** The reserved name that this one is, or reads like. */
export function reservedLike(name: string): string | undefined {
  const letters = name.replace(/[-_]/g, "");
  return RESERVED_NAMES.find((reserved) => reserved === letters) ?? byLook.get(foldPlain(letters));
}
