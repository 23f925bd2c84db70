import { type NewEvent, newEvent } from "../../model/events.js";
import { quoteLine } from "../../model/others-words.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { tellRequester, withdrawMail } from "./request-mail.js";

/** Its alarm rang: what nobody claimed ends, and whoever asked is told. What was claimed is left to its claimer. */
export function expireRequest(context: HubContext, id: RequestId): NewEvent[] {
  const request = context.views.requests.byId(id);
  if (request === undefined || request.state.kind !== "open" || request.expiresAt > context.now) return [];
  return [
    newEvent("RequestExpired", request.from, { request: request.id, from: request.from }),
    ...withdrawMail(context, request),
    // Of another hub's request it is that one which tells.
    ...(request.hub === undefined ? tellExpired(context, request) : []),
  ];
}

function tellExpired(context: HubContext, request: Request): NewEvent[] {
  return tellRequester(context, request, {
    type: "system",
    content: `Nobody claimed your request within ${request.timeoutMs / 1000} s: "${quoteLine(request.description)}"`,
    attention: "fyi",
    notice: "expired",
    metadata: { notice: "expired" },
  });
}
