import { findRing } from "../../model/find-ring.js";
import { groupBy } from "../../model/group-by.js";
import { findPingPong, type PingPong } from "../../model/ping-pong.js";
import { addMinutes, averageRate } from "../hub/mail-rate.js";
import { PERSON, pairKey } from "./pair.js";
import type { Conversation, Pair } from "./use-network.js";

/* What the page makes of the pairs and conversations that the hub tells of. */

/** Those that were there before keep their order; new ones come after them. So no row moves by what happens in another. */
export function keepOrder(before: readonly string[], keys: readonly string[]): readonly string[] {
  const now = new Set(keys);
  const kept = before.filter((key) => now.has(key));
  const known = new Set(kept);
  const next = [...kept, ...keys.filter((key) => !known.has(key))];
  return next.length === before.length && next.every((key, at) => key === before[at]) ? before : next;
}

export type Flow = { perMinute: number; peak: number; peakMinutesAgo: number };

/** How much agents write to each other now, and in the liveliest of the last ten minutes. */
export function describeFlow(pairs: readonly Pair[]): Flow {
  const minutes = addMinutes(pairs);
  const peak = Math.max(0, ...minutes);
  return {
    perMinute: averageRate(minutes),
    peak,
    peakMinutesAgo: minutes.length - 1 - minutes.lastIndexOf(peak),
  };
}

/** Nobody wrote in the last five of the ten minutes. */
export function isSilent({ minutes }: Pick<Pair, "minutes">): boolean {
  return minutes.slice(-5).every((count) => count === 0);
}

/** Each direction of each two agents that answer each other, with how much. */
export function findPingPongs(pairs: readonly Pair[]): ReadonlyMap<string, PingPong> {
  const byKey = new Map(pairs.map((pair) => [pairKey(pair), pair]));
  const found = new Map<string, PingPong>();
  for (const pair of pairs) {
    const back = byKey.get(pairKey({ from: pair.to, to: pair.from }));
    if (back === undefined || pair.from === PERSON || pair.to === PERSON) continue;
    const pingPong = findPingPong(pair, back);
    if (pingPong !== undefined) found.set(pairKey(pair), pingPong);
  }
  return found;
}

/** `budget`: how far its conversation has come. */
export type Ring = {
  conversation: string;
  names: readonly string[];
  isPaused: boolean;
  held: number;
  budget: string;
};

/** Three or more who answer each other in turn, where their conversation waits for the person or has come far. */
export function findRings(conversations: readonly Conversation[], pairs: readonly Pair[]): readonly Ring[] {
  const writesTo = groupBy(pairs, ({ from }) => from);
  const follows = (name: string) => (writesTo.get(name) ?? []).map(({ to }) => to);
  return conversations.flatMap((one) => {
    const { used, most, unit } = nearestBudget(one);
    const isHot = used >= most * 0.75;
    if (one.state !== "paused" && !(one.state === "open" && isHot)) return [];
    const agents = one.participants.filter((name) => name !== PERSON);
    const names = findRing(agents, follows);
    if (names === undefined) return [];
    const budget = `${used} of ${most} ${unit}`;
    return [{ conversation: one.id, names, isPaused: one.state === "paused", held: one.held, budget }];
  });
}

/** Whichever of the two budgets is nearer to its end. */
export function nearestBudget({ hops, hops_most, messages, messages_most }: Conversation) {
  return hops / hops_most >= messages / messages_most
    ? { used: Math.min(hops, hops_most), most: hops_most, unit: "hops" }
    : { used: Math.min(messages, messages_most), most: messages_most, unit: "messages" };
}

/** The pairs by which a ring goes round. */
export function pairsOfRing({ names }: Pick<Ring, "names">): readonly string[] {
  return names.map((from, at) => pairKey({ from, to: names[(at + 1) % names.length] ?? from }));
}

/** What the bars of all rows are drawn to: it changes seldom, so that rows do. */
export function barScale(pairs: readonly Pair[]): number {
  const most = Math.max(1, ...pairs.flatMap(({ minutes }) => minutes));
  return Math.max(8, 2 ** Math.ceil(Math.log2(most)));
}
