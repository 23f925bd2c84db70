import type { AgentId } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { deadlines } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { addressNow } from "./address-of.js";
import { nudge } from "./nudge.js";
import { tellReleased } from "./peer-work.js";
import { released } from "./release-work.js";
import { tellRequester, withdrawMail } from "./request-mail.js";

/**
 * What an agent that died or left had taken on is free again: its tasks, and the requests that it claimed, which
 * everybody is told of again. What it had asked for ends with it when it left; the dead may come back.
 */
export function releaseClaimsOf(context: HubContext, agent: AgentId, reason: "died" | "left"): NewEvent[] {
  const { requests, work } = context.views;
  return [
    ...work
      .ownedBy(agent)
      .flatMap((owned) => [released(context, owned, "owner_gone"), ...tellReleased(context, owned)]),
    ...(reason === "left" ? requests.openOf(agent).flatMap((asked) => withdraw(context, asked, agent)) : []),
    ...requests.claimedBy(agent).flatMap((taken) => reopen(context, taken, { by: agent, reason })),
  ];
}

/** Nobody has it any more; all hear of it again. Of another hub's request that hub is told, and decides. */
export function reopen(
  context: HubContext,
  request: Request,
  { by, reason }: { by: AgentId; reason: "died" | "left" },
): NewEvent[] {
  const requester = context.views.roster.byId(request.from);
  if (requester === undefined || requester.goneAt !== null) return withdraw(context, request, by);
  const name = addressNow(context.views, by, by, request.from);
  const reopened = newEvent("RequestReopened", request.from, {
    request: request.id,
    from: request.from,
    by,
    reason: `${name} ${reason}`,
    ...deadlines(context.now, request.timeoutMs),
  });
  if (request.hub !== undefined) return [reopened];
  return [
    reopened,
    ...tellRequester(context, request, {
      type: "system",
      content: `${name}, who had claimed your request, ${reason}: it is open again.`,
      attention: "fyi",
      notice: "reopened",
      metadata: { notice: "reopened" },
    }),
    ...nudge(context, request, { by: request.from, except: [by] }),
  ];
}

/** The unread mail of whoever is gone ends otherwise. */
function withdraw(context: HubContext, request: Request, gone: AgentId): NewEvent[] {
  return [
    newEvent("RequestExpired", request.from, { request: request.id, from: request.from }),
    ...withdrawMail(context, request, gone),
  ];
}
