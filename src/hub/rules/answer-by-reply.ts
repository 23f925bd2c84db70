import type { Agent } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { MessageId } from "../../model/message.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext } from "../context.js";
import { findRequest, ownRequest } from "./find-request.js";
import { proveByReply } from "./prove-by-reply.js";
import { requestClaimed } from "./request-claimed.js";

type RequestReply = { sender: Agent; target: Agent; replyTo: MessageId; by: MessageId };

type AnsweredByReply = {
  requestId: RequestId;
  /** Whether the reply answers the request: it is then of type `response`. */
  answers: boolean;
  /** What the reply means for the request and for the message that it names. */
  events: NewEvent[];
};

/**
 * What it means that a message replies to a request, or to a nudge of it; undefined when it replies to anything else. Sent
 * to whoever asked it is the answer; the requester itself, and third parties, only go on talking about it.
 */
export function answerByReply(context: HubContext, reply: RequestReply): AnsweredByReply | undefined {
  const { views } = context;
  const requestId = requestNamed(views, reply.replyTo);
  if (requestId === undefined) return undefined;
  const known = views.requests.byId(requestId);
  if (known === undefined) return undefined;
  if (known.from !== reply.target.id) {
    return { requestId, answers: false, events: proof(views, reply) };
  }
  const request = findRequest(context, requestId);
  return { requestId, answers: true, events: answering(context, request, reply) };
}

function requestNamed(views: TightViews, id: MessageId): RequestId | undefined {
  if (views.requests.byId(id) !== undefined) return id;
  return views.messages.byId(id).find(({ data }) => data.message.type === "nudge")?.data.message.requestId;
}

/** The events that make a message the answer, or a refusal when this sender may not give it. */
export function answering(context: HubContext, request: Request, answer: RequestReply): NewEvent[] {
  const { sender, by } = answer;
  const { state } = request;
  if (request.from === sender.id) throw ownRequest(request);
  if (state.kind === "claimed" && state.by !== sender.id) {
    throw new HubError("NOT_CLAIMER", `"${state.byName}" has claimed this request and answers it`, {
      request_id: request.id,
      claimed_by: state.byName,
    });
  }
  if (state.kind === "answered" && state.by !== sender.id) {
    throw new HubError("REQUEST_ANSWERED", `"${state.byName}" has answered this request already`, {
      request_id: request.id,
      claimed_by: state.byName,
    });
  }
  return [
    ...(state.kind === "open" ? [requestClaimed(request, sender)] : []),
    ...(state.kind === "answered"
      ? []
      : [
          newEvent("RequestAnswered", sender.id, {
            request: request.id,
            from: request.from,
            by: sender.id,
            byName: sender.name,
            message: by,
          }),
        ]),
    ...proof(context.views, answer),
  ];
}

/** Whoever came after the request was posted can answer it without ever having had its message. */
function proof(views: TightViews, { sender, target, replyTo, by }: RequestReply): NewEvent[] {
  const had = views.messages
    .byId(replyTo)
    .some(({ data }) => data.message.to.some((to) => to.agent === sender.id));
  return had ? proveByReply(views, { replier: sender.id, replyTo, target: target.id, by }) : [];
}
