import type { Delivery } from "../../views/delivery-row.js";
import type { StoredMessage } from "../../views/messages.js";
import type { TightViews } from "../../views/tight.js";

/** A delivery that can be handed over, with its message. */
export type Deliverable = { delivery: Delivery; stored: StoredMessage };

type TurnMailLimits = { messages: number; bytes: number; fyiMessages: number; fyiBytes: number };

/** What one turn carries, in the order of the journal; `more` waits in the inbox, to be read or for a later turn. */
type TurnMail = { carried: Deliverable[]; more: number };

/**
 * Everything deliverable, oldest first, as far as one turn holds. Of what is only `fyi` a few; but never so that a later
 * message of a sender overtakes an earlier one: what precedes a message that is carried is carried as well, and after
 * the first of a sender that is left, the rest of its `fyi` is left too.
 */
export function turnMail(deliverable: readonly Deliverable[], limits: TurnMailLimits): TurnMail {
  const fitting = prefix(deliverable, limits);
  const lastAsking = new Map<string, number>();
  for (const { stored } of fitting) {
    if (stored.data.message.attention !== "fyi") lastAsking.set(stored.data.message.from, stored.seq);
  }
  const carried: Deliverable[] = [];
  const left = new Set<string>();
  let count = 0;
  let bytes = 0;
  for (const candidate of fitting) {
    const { message } = candidate.stored.data;
    if (message.attention !== "fyi" || candidate.stored.seq < (lastAsking.get(message.from) ?? 0)) {
      carried.push(candidate);
      continue;
    }
    const size = sizeOf(candidate);
    if (left.has(message.from) || count >= limits.fyiMessages || bytes + size > limits.fyiBytes) {
      left.add(message.from);
      continue;
    }
    count++;
    bytes += size;
    carried.push(candidate);
  }
  return { carried, more: deliverable.length - carried.length };
}

function prefix(deliverable: readonly Deliverable[], limits: TurnMailLimits): Deliverable[] {
  const fitting: Deliverable[] = [];
  let bytes = 0;
  let tasks = 0;
  for (const candidate of deliverable) {
    bytes += sizeOf(candidate);
    // Its end is the answer to one task: whatever comes after waits for its own.
    if (candidate.stored.data.message.taskId !== undefined && ++tasks > 1) break;
    if (fitting.length > 0 && (fitting.length === limits.messages || bytes > limits.bytes)) break;
    fitting.push(candidate);
  }
  return fitting;
}

function sizeOf({ stored }: Deliverable): number {
  const { content, context = "" } = stored.data.message;
  return Buffer.byteLength(content) + Buffer.byteLength(context);
}

/** What can be handed over now: neither held, nor behind what is, nor under an offer that may still be proved. */
export function deliverableTo(views: TightViews, agent: string, offeredBefore: number): Deliverable[] {
  const holding = new Set<string>();
  return views.inbox.open(agent).flatMap((delivery) => {
    if (delivery.state === "held") holding.add(delivery.sender);
    if (delivery.state === "held" || (holding.has(delivery.sender) && !delivery.passes)) return [];
    if (delivery.state === "offered" && (delivery.offeredAt ?? 0) > offeredBefore) return [];
    const stored = views.messages.bySeq(delivery.seq);
    return stored === undefined ? [] : [{ delivery, stored }];
  });
}
