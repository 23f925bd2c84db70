import type { Agent } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { SOMEBODY_ELSEWHERE } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { tellRequester } from "./request-mail.js";

export function requestClaimed(
  request: Pick<Request, "id" | "from">,
  by: Pick<Agent, "id" | "name">,
  passed?: "passed",
): NewEvent {
  return newEvent("RequestClaimed", by.id === SOMEBODY_ELSEWHERE ? null : by.id, {
    request: request.id,
    from: request.from,
    by: by.id,
    byName: by.name,
    ...(passed === undefined ? {} : { passed: true }),
  });
}

export function claimNotice(context: HubContext, request: Request, by: Agent): NewEvent[] {
  return tellRequester(context, request, {
    from: by,
    type: "response",
    content: `claimed by ${by.name}`,
    attention: "fyi",
    notice: "claimed",
    metadata: { notice: "claimed" },
  });
}

const NAME_MOST = 200;

/** Somebody whom only another hub knows, as a reader here takes it: there it is `bob`, or `cid@third`. */
export function nameThere(name: string, { hub = "" }: Request): string {
  const plain = name.slice(0, NAME_MOST).replace(/[^A-Za-z0-9_@/-]/g, "?");
  return plain.includes("@") ? `${plain} (by way of ${hub})` : `${plain}@${hub}`;
}
