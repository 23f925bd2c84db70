import type { z } from "zod";
import type { heldRoutes } from "../../contract/http/held.js";
import { absence } from "../../hub/rules/absence.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { type HeldReason, heldReasons } from "../../model/held.js";
import type { ConversationId } from "../../model/message.js";
import type { PairTraffic } from "../../views/traffic.js";
import type { HubPorts } from "../ports.js";
import { wordsOf } from "./conversation-facts.js";

/*
 * All that is held back now: what a cooldown, a budget, the backstop or a paused pair holds, what waits behind that, and what
 * was written lately to somebody who is not there.
 */

/** One delivery that waits. `why` is for what no rule holds. */
export type HeldDelivery = {
  seq: number;
  from: AgentId;
  to: AgentId;
  reason: HeldReason;
  conversation: ConversationId | null;
  behind: boolean;
  why?: string;
};

type Ports = Pick<HubPorts, "views" | "now" | "wall" | "seqBefore">;
type HeldView = z.input<typeof heldRoutes.list.response>["held"][number];

/** A hub that holds more than this says what it can. */
const MOST_HELD = 5000;
/** Of one recipient. */
const MOST_WAITING = 200;
const LATELY_MS = 10 * 60_000;

/** The oldest first. `traffic`: who was written to lately. */
export function findHeld(traffic: readonly PairTraffic[], ports: Ports): HeldDelivery[] {
  const { views } = ports;
  const held = views.inbox.allHeld(MOST_HELD).map(
    ({ seq, sender, recipient, hold, conversation }): HeldDelivery => ({
      seq,
      from: sender,
      to: recipient,
      reason: hold ?? "paused",
      conversation,
      behind: false,
    }),
  );
  return [...held, ...behind(held, ports), ...waitingForAbsent(traffic, ports)].sort((a, b) => a.seq - b.seq);
}

/** What its sender wrote to the same reader after a held one. */
function behind(held: readonly HeldDelivery[], { views }: Ports): HeldDelivery[] {
  const firstOf = new Map<string, HeldDelivery>();
  const fromSeq = new Map<AgentId, number>();
  for (const one of held) {
    if (!firstOf.has(pairKey(one))) firstOf.set(pairKey(one), one);
    fromSeq.set(one.to, Math.min(fromSeq.get(one.to) ?? one.seq, one.seq));
  }
  return [...fromSeq].flatMap(([to, seq]) =>
    views.inbox
      .unreadInAnyOrder(to, seq, MOST_WAITING)
      .flatMap(({ seq: own, sender, conversation, passes, state }): HeldDelivery[] => {
        const first = firstOf.get(pairKey({ from: sender, to }));
        if (first === undefined || own < first.seq || passes || state !== "accepted") return [];
        return [{ seq: own, from: sender, to, reason: first.reason, conversation, behind: true }];
      }),
  );
}

function waitingForAbsent(
  traffic: readonly PairTraffic[],
  { views, wall, seqBefore }: Ports,
): HeldDelivery[] {
  const recipients = [...new Set(traffic.map(({ to }) => to))].filter((to) => views.inbox.depth(to) > 0);
  const absent = recipients.flatMap((to) => {
    const why = absence(views, to);
    return why === undefined ? [] : [{ to, why }];
  });
  if (absent.length === 0) return [];
  const after = seqBefore(wall() - LATELY_MS);
  return absent.flatMap(({ to, why }) =>
    views.inbox
      .unreadInAnyOrder(to, after, MOST_WAITING)
      .filter((delivery) => delivery.state === "accepted" && views.inbox.holdBefore(delivery) === undefined)
      .map(({ seq, sender, conversation }) => ({
        seq,
        from: sender,
        to,
        reason: "away" as const,
        conversation,
        behind: false,
        why,
      })),
  );
}

/** As people read it. */
export function viewHeld({ seq, to, reason, behind: isBehind, why }: HeldDelivery, ports: Ports): HeldView[] {
  const { views } = ports;
  const stored = views.messages.bySeq(seq);
  if (stored === undefined) return [];
  const { message } = stored.data;
  const addressee = message.to.find(({ agent }) => agent === to);
  const until = isBehind ? undefined : addressee?.hold?.until;
  return [
    {
      ...wordsOf(stored, { views }),
      to: addressNow(views, to, addressee?.name ?? to, HUMAN_ID),
      reason,
      // In hub time, which is not that of people.
      until: until === undefined ? null : new Date(ports.wall() + until - ports.now()).toISOString(),
      ...(why === undefined ? {} : { why }),
      ...(isBehind ? { behind: true as const } : {}),
      conversation: message.conversation,
    },
  ];
}

/** How many for what, in a fixed order. */
export function countReasons(
  held: readonly Pick<HeldDelivery, "reason">[],
): { reason: HeldReason; messages: number }[] {
  return heldReasons
    .map((reason) => ({ reason, messages: held.filter((one) => one.reason === reason).length }))
    .filter(({ messages }) => messages > 0);
}

export function pairKey({ from, to }: { from: AgentId; to: AgentId }): string {
  return `${from} ${to}`;
}
