import type { Agent } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { tellRequester } from "./request-mail.js";

export function requestClaimed(request: Request, by: Agent): NewEvent {
  return newEvent("RequestClaimed", by.id, {
    request: request.id,
    from: request.from,
    by: by.id,
    byName: by.name,
  });
}

export function claimNotice(context: HubContext, request: Request, by: Agent): NewEvent[] {
  return tellRequester(context, request, {
    from: by.id,
    type: "response",
    content: `claimed by ${by.name}`,
    attention: "fyi",
    notice: "claimed",
    metadata: { notice: "claimed" },
  });
}
