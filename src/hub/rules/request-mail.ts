import type { Agent, AgentId } from "../../model/agent.js";
import type { DeliveryRef } from "../../model/delivery.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { MessageId } from "../../model/message.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { isFullFor } from "./inbox-room.js";
import { type Notice, notify } from "./notify.js";

/*
 * A request is also a message to all others, of the same id: naming the one names the other. Its nudges are messages
 * numbered after it.
 */

export function nudgeId(request: RequestId, n: number): MessageId {
  return `${request}.nudge-${n}`;
}

/** Who hears of a request: every agent that is there, stays and has room, but the one that asks. */
export function audience(context: HubContext, from: AgentId, except: readonly AgentId[] = []): Agent[] {
  return context.views.roster
    .present()
    .filter(({ id, status, ending }) => {
      return status !== "dead" && ending === null && id !== from && !except.includes(id);
    })
    .filter(({ id }) => !isFullFor(from, id, context));
}

/** A notice to whoever asked, unless they have left. */
export function tellRequester(
  context: HubContext,
  request: Request,
  notice: Omit<Notice, "to" | "requestId">,
): NewEvent[] {
  const requester = context.views.roster.byId(request.from);
  if (requester === undefined || requester.goneAt !== null) return [];
  return [notify(context, { ...notice, to: [requester.id], requestId: request.id })];
}

/** An agent that names a request has read its message. */
export function seenByNaming({ views }: HubContext, agent: AgentId, request: RequestId): NewEvent[] {
  const deliveries = views.messages.byId(request).flatMap(({ seq, data }): DeliveryRef[] => {
    const delivery = views.inbox.get(seq, agent);
    const isNew = delivery?.state === "accepted" || delivery?.state === "offered";
    return isNew ? [{ seq, id: request, from: data.message.from }] : [];
  });
  return deliveries.length === 0
    ? []
    : [newEvent("MessagesSeen", agent, { agent, evidence: "ack", deliveries })];
}

/** What nobody needs to read any more: the request and its nudges, where they were not handed out. */
export function withdrawMail({ views }: HubContext, request: Request, except?: AgentId): NewEvent[] {
  const ids = [request.id, ...Array.from({ length: request.nudges }, (_, n) => nudgeId(request.id, n + 1))];
  return ids
    .flatMap((id) => views.messages.byId(id))
    .flatMap(({ seq, data: { message } }) =>
      message.to
        .flatMap(({ agent }) => (agent === except ? [] : (views.inbox.get(seq, agent) ?? [])))
        .filter(({ state }) => state === "accepted" || state === "held")
        .map(({ recipient }) =>
          newEvent("MessageExpired", recipient, {
            agent: recipient,
            delivery: { seq, id: message.id, from: message.from },
          }),
        ),
    );
}
