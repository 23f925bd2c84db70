import { setImmediate as nextTurn } from "node:timers/promises";
import { type Caller, viewerOf } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { hasStatus } from "../../shown/has-status.js";
import type { SearchAsked } from "./read-search.js";
import { areOpen, findCandidates } from "./search-candidates.js";

/** As much as the index walks through before others have their turn. */
const CHUNK = 20_000;
/** Where a state decides, each message is looked at: no more than these. */
const MOST_LOOKED_AT = 10_000;

type Counted = { total: number | null; places?: number[] };

/** How many there are, and with `every` the first of each so many. */
export async function countFound(
  ports: HubPorts,
  caller: Caller,
  asked: SearchAsked,
  every: number | undefined,
): Promise<Counted> {
  await ports.search.caughtUp();
  const { statuses } = asked.query;
  const seqs = statuses.length === 0 ? walk(ports, asked) : walkOpen(ports, caller, asked);
  let total = 0;
  const places: number[] = [];
  for await (const chunk of seqs) {
    if (chunk === undefined) return { total: null };
    if (every !== undefined) {
      for (let at = (every - (total % every)) % every; at < chunk.length; at += every)
        places.push(chunk[at] ?? 0);
    }
    total += chunk.length;
  }
  return every === undefined ? { total } : { total, places };
}

/** Messages and turns as the index has them, newest first. */
async function* walk(ports: HubPorts, asked: SearchAsked): AsyncGenerator<number[]> {
  const { after, turns } = asked;
  let { before } = asked;
  for (;;) {
    const within = { after, before, limit: CHUNK };
    const messages = await findCandidates(ports, asked, within);
    const others = turns === undefined ? [] : await ports.search.findTurns({ ...turns, ...within });
    // What one of them has beyond the end of the other comes with the next chunk.
    const ends = [messages, others].flatMap((seqs) => (seqs.length < CHUNK ? [] : [seqs.at(-1) ?? after]));
    const floor = Math.max(after, ...ends);
    const both =
      others.length === 0
        ? messages
        : [...messages, ...others].sort((a, b) => b - a).filter((seq) => seq >= floor);
    yield both;
    if (ends.length === 0) return;
    before = floor;
    await nextTurn();
  }
}

/** Undefined where too many would have to be looked at. */
async function* walkOpen(
  ports: HubPorts,
  caller: Caller,
  asked: SearchAsked,
): AsyncGenerator<number[] | undefined> {
  const { after, before } = asked;
  const seqs = areOpen(asked.query.statuses)
    ? await findCandidates(ports, asked, { after, before, limit: MOST_LOOKED_AT + 1 })
    : undefined;
  if (seqs === undefined || seqs.length > MOST_LOOKED_AT) {
    yield undefined;
    return;
  }
  const { views } = ports;
  yield seqs.filter((seq) => {
    const stored = views.messages.bySeq(seq);
    return stored !== undefined && hasStatus(views, stored, asked.query.statuses, viewerOf(caller));
  });
}
