import type { z } from "zod";
import type { eventsQuery } from "../../contract/http/hub.js";
import { HubError } from "../../model/errors.js";
import type { HubPorts } from "../ports.js";

/** After which event a reader starts: a sequence number, a time, or (neither given) what is newest now. */
export function streamStart(
  ports: HubPorts,
  query: z.output<typeof eventsQuery>,
  lastEventId?: string,
): number {
  const after =
    query.after ??
    (lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined);
  if (after !== undefined) {
    if (after > ports.lastSeq()) {
      throw new HubError("INVALID_INPUT", `after=${after} is beyond the newest event (${ports.lastSeq()})`, {
        newest: ports.lastSeq(),
      });
    }
    return after;
  }
  if (query.since === undefined) return ports.lastSeq();
  const time = Date.parse(query.since);
  if (Number.isNaN(time))
    throw new HubError("INVALID_INPUT", `since: "${query.since}" is not an ISO 8601 time`);
  return ports.seqBefore(time);
}
