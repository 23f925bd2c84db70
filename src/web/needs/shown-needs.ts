import type { NeedsYou } from "../../client/hub-client.js";

export type Need = NeedsYou["items"][number];

/*
 * What the page shows: open as long as the hub has it; then settled, in its place, greyed and inert, for a few seconds; then
 * gone. The order depends on nothing but the needs themselves, so that no card moves because of another's state.
 */
export type ShownNeed = { need: Need; state: { kind: "open" } | { kind: "settled"; since: number } };

export const SETTLED_STAYS_MS = 5000;

export function mergeNeeds(before: readonly ShownNeed[], items: readonly Need[], now: number): ShownNeed[] {
  const open = new Set(items.map(({ id }) => id));
  const settled = before
    .filter(({ need }) => !open.has(need.id))
    .map(
      ({ need, state }): ShownNeed => ({
        need,
        state: state.kind === "settled" ? state : { kind: "settled", since: now },
      }),
    )
    .filter(({ state }) => state.kind === "settled" && now - state.since < SETTLED_STAYS_MS);
  const shown = items.map((need): ShownNeed => ({ need, state: { kind: "open" } }));
  return [...shown, ...settled].sort((one, other) => compareNeeds(one.need, other.need));
}

/** The oldest deadline first; then what has none, the oldest first. */
function compareNeeds(one: Need, other: Need): number {
  return (
    deadlineOf(one) - deadlineOf(other) ||
    Date.parse(one.at) - Date.parse(other.at) ||
    (one.id < other.id ? -1 : 1)
  );
}

/** A limit that ends by itself is no deadline for the person. */
function deadlineOf({ kind, expires }: Need): number {
  return expires === null || kind === "limit" ? Number.MAX_SAFE_INTEGER : Date.parse(expires);
}

export const needGroups = ["all", "permissions", "held", "trouble", "questions"] as const;
export type NeedGroup = (typeof needGroups)[number];

const groupOf: { readonly [K in Need["kind"]]: NeedGroup } = {
  permission: "permissions",
  dialog: "permissions",
  approval: "permissions",
  budget: "held",
  limit: "held",
  bounce: "trouble",
  stalled: "trouble",
  question: "questions",
};

export function isInGroup(group: NeedGroup, need: Need): boolean {
  return group === "all" || groupOf[need.kind] === group;
}

export function countGroups(needs: readonly Need[]): Readonly<Record<NeedGroup, number>> {
  const count = (group: NeedGroup) => needs.filter((need) => isInGroup(group, need)).length;
  return {
    all: needs.length,
    permissions: count("permissions"),
    held: count("held"),
    trouble: count("trouble"),
    questions: count("questions"),
  };
}

/** How much of the time is left, of 1. */
export function shareLeft(at: number, until: number, now: number): number {
  if (until <= at) return 0;
  return Math.min(1, Math.max(0, (until - now) / (until - at)));
}

/** `7:12`, `1 h 06`: what is left until then. */
export function sayLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))}`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
