import { pairsOfRing, type Ring } from "./network-model.js";
import { pairKey } from "./pair.js";
import type { Conversation, Pair } from "./use-network.js";

/** What is looked at: one direction of a pair, or a conversation. */
export type Selection = { kind: "pair"; key: string } | { kind: "conversation"; id: string };

function isSame(one: Selection | undefined, other: Selection): boolean {
  if (one === undefined || one.kind !== other.kind) return false;
  return one.kind === "pair"
    ? other.kind === "pair" && one.key === other.key
    : other.kind === "conversation" && one.id === other.id;
}

/** All that can be looked at, in the order of the page. */
export function listSelectable(
  pairs: readonly Pair[],
  conversations: readonly Conversation[],
): readonly Selection[] {
  return [
    ...pairs.map((pair): Selection => ({ kind: "pair", key: pairKey(pair) })),
    ...conversations.map(({ id }): Selection => ({ kind: "conversation", id })),
  ];
}

/** The next or previous one; from nothing, the first or the last. */
export function moveSelection(
  all: readonly Selection[],
  now: Selection | undefined,
  step: 1 | -1,
): Selection | undefined {
  const at = now === undefined ? -1 : all.findIndex((one) => isSame(now, one));
  if (at < 0) return step > 0 ? all[0] : all.at(-1);
  return all[Math.max(0, Math.min(all.length - 1, at + step))];
}

/** The pairs that belong to what is looked at: of a conversation its ring, else whatever its participants write to each other. */
export function keysOf(
  selection: Selection | undefined,
  participants: readonly string[],
  rings: readonly Ring[],
): ReadonlySet<string> {
  if (selection === undefined) return new Set();
  if (selection.kind === "pair") return new Set([selection.key]);
  const ring = rings.find(({ conversation }) => conversation === selection.id);
  if (ring !== undefined) return new Set(pairsOfRing(ring));
  return new Set(participants.flatMap((from) => participants.map((to) => pairKey({ from, to }))));
}
