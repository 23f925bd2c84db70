import { addressThen, useAgentStore } from "./agent-store.js";
import {
  advanceHistory,
  type DeliveryChange,
  type History,
  type HistoryMessage,
  type HistoryPage,
} from "./history.js";
import { queries } from "./hub.js";
import type { AcceptedMail, Addresses, ReadStep } from "./read-mail-events.js";

/** What one event means for mail. */
export type MailChange = { seq: number; accepted: AcceptedMail | undefined; steps: readonly ReadStep[] };

/** A fetch takes a moment, and what happens in it is not in its answer: the last of it is kept, to be applied to that too. */
const LATELY = 500;
let lately: MailChange[] = [];

export const addresses: Addresses = {
  addressThen,
  absence(id) {
    const row = useAgentStore.getState().byId.get(id);
    if (row?.paused === true) return `"${row.name}" is paused`;
    if (row?.state === "limited") return `"${row.name}" has reached its vendor's usage limit`;
    if (row?.state === "offline" || row?.state === "dead")
      return `"${row.name}" is ${row.state}: ${row.evidence}`;
    return undefined;
  },
};

type Follower = {
  /** What events say, once a frame, after the histories have it. */
  take: (changes: readonly MailChange[]) => void;
  /** Events are missing: what is known may be wrong. */
  startOver: () => void;
};
const followers = new Set<Follower>();

/** Gives what ends it. */
export function followChanges(follower: Follower): () => void {
  followers.add(follower);
  return () => void followers.delete(follower);
}

/** Into every history that is kept. */
export function applyMail(changes: readonly MailChange[]): void {
  if (changes.length === 0) return;
  advanceHistories(changes);
  for (const { take } of followers) take(changes);
}

function advanceHistories(changes: readonly MailChange[]): void {
  lately = [...lately, ...changes].slice(-LATELY);
  const cached = queries.getQueriesData<History>({ queryKey: ["messages"] });
  if (cached.length === 0) return;
  const steps = collectSteps(changes);
  for (const [key, history] of cached) {
    if (history === undefined) continue;
    const next = advanceHistory(history, acceptedOf(changes, String(key[1])), steps);
    if (next !== history) queries.setQueryData(key, next);
  }
}

/** A page that was asked for when the feed was at `place`, with what happened since. */
export function withWhatCameSince(page: HistoryPage, party: string, place: number): HistoryPage {
  const since = lately.filter(({ seq }) => seq > place);
  if (since.length === 0) return page;
  const history = { pages: [page], pageParams: [undefined] };
  return advanceHistory(history, acceptedOf(since, party), collectSteps(since)).pages[0] ?? page;
}

export function forgetMail(): void {
  lately = [];
}

/** After a gap in the events. */
export function startFollowersOver(): void {
  for (const { startOver } of followers) startOver();
}

function acceptedOf(changes: readonly MailChange[], party: string): HistoryMessage[] {
  return changes.flatMap(({ accepted }) => {
    if (accepted === undefined || !(accepted.from === party || accepted.to.includes(party))) return [];
    return [ownDeliveries(accepted, party)];
  });
}

/** Of what went to many, a recipient's history has its own delivery only. */
function ownDeliveries({ message, to }: AcceptedMail, party: string): HistoryMessage {
  const at = to.indexOf(party);
  const own = message.deliveries[at];
  return at < 0 || to.length === 1 || own === undefined ? message : { ...message, deliveries: [own] };
}

export function collectSteps(changes: readonly MailChange[]): ReadonlyMap<number, readonly DeliveryChange[]> {
  const bySeq = new Map<number, DeliveryChange[]>();
  const { byId } = useAgentStore.getState();
  for (const { steps } of changes) {
    for (const { agent, seq, change } of steps) {
      const to = byId.get(agent)?.name ?? agent;
      const list = bySeq.get(seq) ?? [];
      list.push({ ...change, to });
      bySeq.set(seq, list);
    }
  }
  return bySeq;
}
