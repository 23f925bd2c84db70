import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { Route } from "../../model/delivery.js";
import { newEvent } from "../../model/events.js";
import type { Message } from "../../model/message.js";
import type { RequestId } from "../../model/request.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { HubDecider } from "../context.js";
import { forReader } from "../rules/address-of.js";
import { isOfferedInPane } from "../rules/offered-in-pane.js";
import { type Chosen, unreadBy, type WorthTurn } from "../rules/unread-by.js";

type OfferMessages = {
  agent: AgentId;
  from?: AgentId | undefined;
  /** Only what answers this request. */
  requestId?: RequestId | undefined;
  /** Only what has a higher number. */
  after?: number | undefined;
  route: Route;
  /** Most messages to hand out; a read has its own limit besides. */
  limit?: number | undefined;
  /** Most bytes of text; the first message comes whatever its size, unless `strictly`. */
  bytes?: number | undefined;
  /** What does not fit into `bytes` by itself is left, too, to a read without this. */
  strictly?: boolean | undefined;
  /** Hands out nothing, unless something in the inbox is worth a turn. */
  worthTurn?: WorthTurn | undefined;
  /** Whether what was handed out a moment ago comes again, or only once it has gone unproven for its time. */
  again?: Again | undefined;
} & Chosen;

export type Again = "at once" | "when due";

export type OfferedMessage = { message: Message; seq: number; at: number; repeated: boolean };

export type Offered = { messages: OfferedMessage[]; more: boolean };

/**
 * Hands an agent its unread mail, oldest first. That it was handed over is on disk before the agent gets it, so a
 * crash in between shows as an unproven offer. What it was offered before and has not proved comes again, marked.
 */
export const offerMessages: HubDecider<OfferMessages, Offered> = (input, context) => {
  const { views, limits, now } = context;
  const most = Math.min(input.limit ?? limits.readMessages, limits.readMessages);
  const handedOutBefore = input.again === "when due" ? now - limits.reofferAfterMs : undefined;
  const { worthTurn, agent, from, requestId, after, route, only, except } = input;
  const wanted = { agent, from, requestId, after, route, only, except, handedOutBefore };
  if (worthTurn !== undefined && unreadBy(views, { worthTurn, ...wanted }, 1).length === 0) {
    return decided([], { messages: [], more: false });
  }
  const unread = unreadBy(views, wanted, most + 1);

  const messages: OfferedMessage[] = [];
  const fresh: { seq: number; id: string; from: AgentId; attempt: number }[] = [];
  const mostBytes = Math.min(input.bytes ?? limits.readBytes, limits.readBytes);
  let bytes = 0;
  let more = false;
  for (const delivery of unread) {
    const stored = views.messages.bySeq(delivery.seq);
    if (stored === undefined) continue;
    const { message } = stored.data;
    bytes += Buffer.byteLength(message.content) + Buffer.byteLength(message.context ?? "");
    const mayBeLarge = messages.length === 0 && input.strictly !== true;
    if (messages.length === most || (bytes > mostBytes && !mayBeLarge)) {
      more = true;
      break;
    }
    const isPointer = isOfferedInPane(delivery);
    const shown = forReader(views, message, input.agent);
    messages.push({
      message: shown,
      seq: stored.seq,
      at: stored.at,
      repeated: delivery.attempt > 0 && !isPointer,
    });
    if (isPointer || !isOfferOpen(delivery, now, limits.reofferAfterMs)) {
      fresh.push({ seq: stored.seq, id: message.id, from: message.from, attempt: delivery.attempt + 1 });
    }
  }
  const events =
    fresh.length === 0
      ? []
      : [
          newEvent("MessagesOffered", input.agent, {
            agent: input.agent,
            route: input.route,
            deliveries: fresh,
          }),
        ];
  return { events, answer: () => ({ messages, more }) };
};

/** One open offer per delivery: within the time that it has to be proved, handing it out again is the same offer. */
function isOfferOpen(delivery: Delivery, now: number, reofferAfterMs: number): boolean {
  return delivery.offeredAt !== null && now - delivery.offeredAt < reofferAfterMs;
}
