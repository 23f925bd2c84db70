import { expect } from "vitest";
import type { Offered } from "../../src/hub/commands/offer-messages.js";
import { type AgentId, HUB_ID } from "../../src/model/agent.js";
import type { HubEvent } from "../../src/model/events.js";
import type { MessageId } from "../../src/model/message.js";
import type { TightViews } from "../../src/views/tight.js";

/*
 * What the agents of one run were told, kept outside the hub, and what must follow from it:
 *
 *   FIFO per pair      a recipient gets the messages of one sender in the order of their numbers, which is the order in
 *                      which they were sent, and none is passed over unless it has expired or failed
 *   once in the inbox  one delivery for each accepted id, however often it was sent; a repeat says that it is one
 *   conservation       accepted = open + seen + expired + failed
 *   nothing silent     who sent what expired or failed is told, once, unless it had left
 */

type Accepted = { id: MessageId; from: AgentId; to: AgentId; sent: number; seq: number };

export type MailLedger = {
  /** A message is about to be sent (again): its place in the order of sending. */
  sending(): number;
  accepted(message: Accepted): void;
  read(agent: AgentId, offered: Offered): void;
  acknowledged(ids: readonly MessageId[]): void;
  left(agent: AgentId): void;
  /** What this agent got and has not acknowledged, oldest first. */
  unacknowledged(agent: AgentId): MessageId[];
  size(): number;
  /** `events`: everything that was journalled since the run began. */
  check(views: TightViews, events: readonly HubEvent[]): void;
};

export function createMailLedger(): MailLedger {
  const messages = new Map<MessageId, Accepted>();
  const sightings = new Map<AgentId, MessageId[]>();
  const acked = new Set<MessageId>();
  const gone = new Set<AgentId>();
  let sends = 0;

  const seenBy = (agent: AgentId) => sightings.get(agent) ?? [];

  function checkPair(pair: readonly Accepted[], views: TightViews) {
    const bySeq = pair.toSorted((a, b) => a.seq - b.seq);
    expect(bySeq, "numbered in the order of sending").toEqual(pair.toSorted((a, b) => a.sent - b.sent));
    const to = bySeq[0]?.to ?? "";
    const got = seenBy(to).filter((id) => pair.some((message) => message.id === id));
    const due = bySeq.filter(({ id, seq }) => {
      const state = views.inbox.get(seq, to)?.state;
      return got.includes(id) || (state !== "expired" && state !== "failed");
    });
    expect(got, "read in the order of sending, none passed over").toEqual(
      due.slice(0, got.length).map(({ id }) => id),
    );
  }

  function checkConservation(views: TightViews) {
    const ends = { open: 0, seen: 0, expired: 0, failed: 0 };
    for (const { id, seq, to } of messages.values()) {
      const delivery = views.inbox.get(seq, to);
      const state = delivery?.state ?? "lost";
      const end = state === "accepted" || state === "offered" ? "open" : state;
      if (!(end in ends)) throw new Error(`${id} ended as ${end}`);
      ends[end as keyof typeof ends]++;
      const expected = acked.has(id) ? ["seen"] : gone.has(to) ? ["failed", "expired"] : ["open", "expired"];
      expect(expected, `${id} at its end`).toContain(end);
      if (end === "expired") expect(seenBy(to), `${id} was offered and expired`).not.toContain(id);
    }
    expect(ends.open + ends.seen + ends.expired + ends.failed).toBe(messages.size);
  }

  function checkInboxes(views: TightViews) {
    for (const agent of new Set([...messages.values()].map(({ to }) => to))) {
      const all = views.inbox.open(agent);
      const open = all.filter(({ sender }) => sender !== HUB_ID).map(({ seq }) => seq);
      const expected = [...messages.values()]
        .filter(({ to, seq }) => {
          const state = views.inbox.get(seq, agent)?.state;
          return to === agent && (state === "accepted" || state === "offered");
        })
        .map(({ seq }) => seq);
      expect(open, "each open message once in its inbox, and nothing else").toEqual(
        expected.toSorted((a, b) => a - b),
      );
      expect(views.inbox.depth(agent)).toBe(all.length);
    }
  }

  return {
    sending: () => ++sends,
    accepted(message) {
      const earlier = messages.get(message.id);
      if (earlier !== undefined)
        expect(message.seq, "a repeated send has the same receipt").toBe(earlier.seq);
      else messages.set(message.id, message);
    },
    read(agent, { messages: handed }) {
      const seqs = handed.map(({ seq }) => seq);
      expect(seqs, "a read is in the order of numbers").toEqual(seqs.toSorted((a, b) => a - b));
      const seen = seenBy(agent);
      for (const { message, repeated } of handed) {
        expect(repeated, `${message.id} marked as repeated`).toBe(seen.includes(message.id));
        expect(acked, "what was acknowledged does not come again").not.toContain(message.id);
        if (!repeated) seen.push(message.id);
      }
      sightings.set(agent, seen);
    },
    acknowledged: (ids) => ids.forEach((id) => void acked.add(id)),
    left: (agent) => void gone.add(agent),
    unacknowledged: (agent) => seenBy(agent).filter((id) => !acked.has(id)),
    size: () => messages.size,
    check(views, events) {
      for (const pair of byPair([...messages.values()])) checkPair(pair, views);
      checkConservation(views);
      checkInboxes(views);
      checkExpiries(events);
      checkBounces(events, (id) => messages.has(id));
    },
  };
}

function byPair(messages: readonly Accepted[]): Accepted[][] {
  const pairs = new Map<string, Accepted[]>();
  for (const message of messages) {
    const key = `${message.from} ${message.to}`;
    pairs.set(key, [...(pairs.get(key) ?? []), message]);
  }
  return [...pairs.values()];
}

/** In hub time: nothing expires before its time, nor after it was offered. */
function checkExpiries(events: readonly HubEvent[]) {
  const until = new Map<number, number>();
  const offered = new Set<number>();
  for (const event of events) {
    if (event.type === "MessageAccepted")
      until.set(event.seq, event.hubTime + (event.data.message.expiresInMs ?? 0));
    if (event.type === "MessagesOffered") for (const { seq } of event.data.deliveries) offered.add(seq);
    if (event.type !== "MessageExpired") continue;
    const { seq } = event.data.delivery;
    expect(event.hubTime, "expired early").toBeGreaterThanOrEqual(until.get(seq) ?? 0);
    expect(offered, "expired though it was offered").not.toContain(seq);
  }
}

/** `isOurs`: what other runs on the same hub had sent may end in this one. */
function checkBounces(events: readonly HubEvent[], isOurs: (id: string) => boolean): void {
  const gone = new Set<AgentId>();
  const owed: MessageId[] = [];
  const told: unknown[] = [];
  for (const event of events) {
    if (event.type === "AgentDeregistered") gone.add(event.data.agent);
    if (event.type === "MessageExpired" && !gone.has(event.data.delivery.from))
      owed.push(event.data.delivery.id);
    if (event.type === "DeliveriesFailed") {
      const ended = event.data.deliveries.filter(({ from }) => !gone.has(from) && from !== HUB_ID);
      owed.push(...ended.map(({ id }) => id));
    }
    if (event.type === "MessageAccepted" && event.data.message.from === HUB_ID) {
      told.push(event.data.message.metadata?.["bounce"]);
    }
  }
  expect(told.map(String).filter(isOurs).toSorted(), "every end is told to its sender, once").toEqual(
    owed.filter(isOurs).toSorted(),
  );
}
