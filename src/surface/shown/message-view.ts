import type { z } from "zod";
import type { deliveryView, messageView } from "../../contract/http/messages.js";
import type { OfferedMessage } from "../../hub/commands/offer-messages.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { Step } from "../../model/delivery.js";
import type { Addressee, Message } from "../../model/message.js";
import { shownFields } from "../../model/typed-message.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { TightViews } from "../../views/tight.js";

type MessageView = z.input<typeof messageView>;

/** A message under the names that it has for its reader, as `forReader` gives them. */
export function viewMessage(
  { seq, at, message }: { seq: number; at: number; message: Message },
  views: Pick<TightViews, "requests" | "roster">,
  reader: AgentId,
): MessageView {
  return {
    id: message.id,
    seq,
    type: message.type,
    from: message.fromName,
    to: message.toName,
    content: message.content,
    timestamp: iso(at),
    context: message.context,
    reply_to: message.replyTo,
    forwarded_from: message.forwardedFrom?.name,
    thread: message.thread,
    conversation: message.conversation,
    hop: message.hop,
    request_id: message.requestId,
    task_id: message.taskId,
    claimed_by: claimedBy(message, views, reader),
    callback_url: message.callbackUrl,
    attention: message.attention,
    source: message.source,
    applet: message.applet,
    fromSession: isAgent(message.from) ? message.from : undefined,
    trust: message.trust,
    notice: message.notice,
    metadata: message.metadata,
    ...(message.typed && shownFields(message.typed)),
  };
}

/** A message as its reader is handed it. */
export function viewOffered(
  offered: OfferedMessage,
  views: Pick<TightViews, "requests" | "roster">,
  reader: AgentId,
): MessageView {
  const view = viewMessage(offered, views, reader);
  return offered.repeated ? { ...view, repeated: true } : view;
}

function isAgent(id: AgentId): boolean {
  return id !== HUMAN_ID && id !== HUB_ID;
}

/** Who has what the message asks for, by the name they have now. */
function claimedBy(
  { type, requestId }: Message,
  views: Pick<TightViews, "requests" | "roster">,
  reader: AgentId,
) {
  if (requestId === undefined || (type !== "request" && type !== "nudge")) return undefined;
  const state = views.requests.byId(requestId)?.state;
  if (state === undefined || !("by" in state)) return undefined;
  return addressNow(views, state.by, state.byName, reader);
}

type DeliveryFacts = {
  to: string;
  acceptedAt: number;
  /** Why it was held when it was accepted, and until when. */
  hold: Addressee["hold"];
  /** Why it is not read now: the recipient is not there, or an earlier message of the pair is held. */
  waits: string | undefined;
};

/**
 * A delivery with its whole ladder. `answered` outranks the rung that it stands on; what waits for somebody who is not
 * there, or behind a held message, is `held`, with the reason.
 */
export function viewDelivery(delivery: Delivery, facts: DeliveryFacts): z.input<typeof deliveryView> {
  const steps: Step[] = [
    { state: "accepted", at: facts.acceptedAt },
    ...(facts.hold === undefined
      ? []
      : [{ state: "held" as const, at: facts.acceptedAt, reason: facts.hold.reason }]),
    ...delivery.steps,
  ];
  // What a pane was only told of is still in the inbox, but that it was told is how far it has come.
  const isPointedAt = delivery.state === "offered" && delivery.steps.at(-1)?.state === "injected";
  const rung = isPointedAt ? "injected" : delivery.state;
  const state = delivery.answeredBy === null ? rung : "answered";
  const newest = steps.findLast((step) => step.state === state) ?? steps[0];
  const proof = steps.findLast((step) => step.evidence !== undefined);
  const isHeld = state === "accepted" && facts.waits !== undefined;
  return {
    to: facts.to,
    state: isHeld ? "held" : state,
    at: iso(newest?.at ?? facts.acceptedAt),
    evidence: proof?.evidence ?? newest?.route ?? null,
    reason: isHeld ? (facts.waits ?? null) : (delivery.hold ?? newest?.reason ?? null),
    ...(delivery.hold === null || facts.hold?.until === undefined ? {} : { until: iso(facts.hold.until) }),
    steps: steps.map((step) => ({ ...step, at: iso(step.at) })),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
