import { PERSON } from "../../network/pair.js";
import type { Pair } from "../../network/use-network.js";
import { sayRate } from "../../parts/say-rate.js";

export type TrafficRow = { peer: string; direction: "to" | "from"; pair: Pair };

const MOST = 8;

/** With whom an agent exchanged mail lately, most first; of as much, in the order of the names. The person's own is not traffic. */
export function trafficOf(agent: string, pairs: readonly Pair[]): readonly TrafficRow[] {
  return pairs
    .filter(({ from, to }) => (from === agent || to === agent) && from !== PERSON && to !== PERSON)
    .map((pair): TrafficRow => {
      const isTo = pair.from === agent;
      return { peer: isTo ? pair.to : pair.from, direction: isTo ? "to" : "from", pair };
    })
    .sort((one, other) => other.pair.per_minute - one.pair.per_minute)
    .slice(0, MOST);
}

/** `3/min · 8/10`, with what is held. */
export function sayTraffic({ per_minute, sent_last_minute, cap, held, paused }: Pair): string {
  const words = [
    `${sayRate(per_minute)}/min`,
    ...(cap === null ? [] : [`${sent_last_minute}/${cap}`]),
    ...(held === 0 ? [] : [`${held} held`]),
    ...(paused ? ["paused"] : []),
  ];
  return words.join(" · ");
}
