import { type AgentId, HUB_ID } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { notify } from "./notify.js";
import { audience, nudgeId } from "./request-mail.js";

/** Its alarm rang: half of the request's time is over. One from before it was reopened means nothing any more. */
export function nudgeUnclaimed(context: HubContext, id: RequestId): NewEvent[] {
  const request = context.views.requests.byId(id);
  // Of another hub's request it is that one which reminds.
  if (request === undefined || request.state.kind !== "open" || request.hub !== undefined) return [];
  const halfway = request.expiresAt - Math.floor(request.timeoutMs / 2);
  if (context.now < halfway || context.now >= request.expiresAt) return [];
  if (request.nudges >= context.limits.requestNudgeCap) return [];
  return nudge(context, request, { by: HUB_ID, except: [] });
}

/** In the words and the name of whoever asked: a reply goes to them. */
export function nudge(
  context: HubContext,
  request: Request,
  { by, except }: { by: AgentId; except: readonly AgentId[] },
): NewEvent[] {
  return [
    newEvent("RequestNudged", request.from, { request: request.id, from: request.from, by }),
    remind(context, request, except),
  ];
}

/** The message that reminds all who are here. */
export function remind(context: HubContext, request: Request, except: readonly AgentId[] = []): NewEvent {
  return notify(context, {
    id: nudgeId(request.id, request.nudges + 1),
    from: request.from,
    to: audience(context, request.from, except).map(({ id }) => id),
    toName: "all",
    type: "nudge",
    content: request.description,
    context: request.context,
    attention: "queue",
    requestId: request.id,
  });
}
