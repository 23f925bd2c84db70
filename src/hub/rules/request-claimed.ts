import type { Agent } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Request } from "../../views/requests.js";

export function requestClaimed(request: Request, by: Agent): NewEvent {
  return newEvent("RequestClaimed", by.id, {
    request: request.id,
    from: request.from,
    by: by.id,
    byName: by.name,
  });
}
