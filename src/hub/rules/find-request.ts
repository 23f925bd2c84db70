import { HubError } from "../../model/errors.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";

/** The request of that id, if it can still be claimed or answered; a refusal that says why otherwise. */
export function findRequest({ views, now }: HubContext, id: RequestId): Request {
  const request = recallRequest(views, id);
  // Its alarm may not have rung yet: the time decides.
  if (request.state.kind === "expired" || (request.state.kind === "open" && request.expiresAt <= now)) {
    throw new HubError(
      "REQUEST_EXPIRED",
      `The request of "${request.fromName}" expired before anybody claimed it`,
      { request_id: request.id },
    );
  }
  return request;
}

/** The request of that id, whatever became of it. */
export function recallRequest({ requests }: HubContext["views"], id: RequestId): Request {
  const request = requests.byId(id);
  if (request !== undefined) return request;
  throw new HubError("REQUEST_NOT_FOUND", `No request has the id "${id.slice(0, 128)}"`, {
    open: requests.list({ status: "open", limit: 20 }).map((open) => open.id),
  });
}

/** The refusal for whoever would claim or answer what it asked for itself. */
export function ownRequest(request: Request): HubError {
  return new HubError("OWN_REQUEST", "This request is your own: another agent has to claim and answer it", {
    request_id: request.id,
  });
}
