import type { PairList } from "../../client/hub-client.js";

type Pair = PairList["pairs"][number];

/** Of one agent, both directions together: messages in each of the last ten minutes, and how many that are for it are held. */
type Flow = { perMinute: number; minutes: readonly number[]; held: number };

/** By the address of the agent; `perMinute` is that of all messages, each once. */
export type Traffic = { flows: ReadonlyMap<string, Flow>; perMinute: number };

export const noTraffic: Traffic = { flows: new Map(), perMinute: 0 };

export function sumTraffic(pairs: readonly Pair[]): Traffic {
  const flows = new Map<string, Flow>();
  const add = (name: string, { per_minute, minutes, held }: Pair, isRecipient: boolean) => {
    const before = flows.get(name) ?? { perMinute: 0, minutes: minutes.map(() => 0), held: 0 };
    flows.set(name, {
      perMinute: before.perMinute + per_minute,
      minutes: minutes.map((count, at) => count + (before.minutes[at] ?? 0)),
      held: before.held + (isRecipient ? held : 0),
    });
  };
  for (const pair of pairs) {
    add(pair.from, pair, false);
    add(pair.to, pair, true);
  }
  return { flows, perMinute: pairs.reduce((sum, { per_minute }) => sum + per_minute, 0) };
}

/** `0`, `0.4`, `12`: short enough for a column. */
export function sayRate(perMinute: number): string {
  return perMinute >= 10 ? String(Math.round(perMinute)) : String(Math.round(perMinute * 10) / 10);
}
