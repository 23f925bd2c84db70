import type { Agent, AgentId } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Frame, Party, RequestNews } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { deadlines, idFrom, type RequestId, SOMEBODY_ELSEWHERE } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { checkBudget } from "./budget.js";
import { accept, composeMessage } from "./compose-message.js";
import { hasPeerRoom } from "./inbox-room.js";
import type { Met } from "./meet-peer-agent.js";
import { remind } from "./nudge.js";
import { reopen } from "./release-claims.js";
import { nameThere, requestClaimed } from "./request-claimed.js";
import { checkPeerRequests } from "./request-limits.js";
import { audience, withdrawMail } from "./request-mail.js";

/*
 * Requests of other hubs. Here each has a stand-in, under its id with the hub behind it: open, claimed, answered or expired, as its own hub tells. Who
 * has it is decided there.
 */

type News<State extends RequestNews["state"]> = Extract<RequestNews, { state: State }>;

/** Of one batch only the last news of each request counts: what is over by then need not be opened first. */
export function lastNews(frames: readonly Frame[]): ReadonlySet<Frame> {
  const last = new Map<RequestId, Frame>();
  for (const frame of frames) if (frame.kind === "request") last.set(frame.request.id, frame);
  return new Set(last.values());
}

/** What the command has taken of the peer before. `opened`: requests of each of its agents; `inboxes`: how much into each. */
export type TakenNews = { opened: Map<AgentId, number>; inboxes: Map<AgentId, number> };

/** `meet` answers whoever asks, as this hub knows them. */
export function takeNews(
  context: HubContext,
  peer: Peer,
  news: RequestNews,
  meet: Opening["meet"],
  taken: TakenNews,
): NewEvent[] {
  if (news.state === "left") return claimerLeft(context, peer, news);
  const known = context.views.requests.byId(idFrom(peer.name, news.id));
  if (known === undefined) {
    if (news.state === "open") return openStandIn(context, peer, news, { meet, taken });
    return news.state === "claimed" ? openClaimed(context, peer, news, { meet, taken }) : [];
  }
  if (known.hub !== peer.name) return [];
  switch (news.state) {
    case "open":
      return openAgain(context, peer, known, news, taken);
    case "claimed":
    case "answered":
      return claimedThere(context, known, news);
    case "expired":
      return known.state.kind === "open" || known.state.kind === "claimed"
        ? [
            newEvent("RequestExpired", known.from, { request: known.id, from: known.from }),
            ...withdrawMail(context, known),
          ]
        : [];
  }
}

type Opening = {
  meet: (from: Party) => Met;
  taken: TakenNews;
  /** Only this one hears of it: it is the one that has it. */
  only?: Agent;
};

/** What an agent of this hub was handed, before anybody here heard of it. */
function openClaimed(
  context: HubContext,
  peer: Peer,
  { id, by, asked }: News<"claimed" | "answered">,
  opening: Opening,
): NewEvent[] {
  const own = by.id === undefined ? undefined : context.views.roster.byId(by.id);
  if (asked === undefined || own === undefined || own.goneAt !== null) return [];
  const events = openStandIn(context, peer, { ...asked, id, state: "open" }, { ...opening, only: own });
  const { agent: sender } = opening.meet(asked.from);
  return [...events, requestClaimed({ id: idFrom(peer.name, id), from: sender.id }, own)];
}

function openStandIn(
  context: HubContext,
  peer: Peer,
  news: News<"open">,
  { meet, taken, only }: Opening,
): NewEvent[] {
  const { limits, now, views } = context;
  const { agent: sender, met } = meet(news.from);
  checkPeerRequests(peer.name, sender, taken.opened, context);
  const id = idFrom(peer.name, news.id);
  const full = withoutRoom(context, peer, sender.id, taken);
  const recipients = audience(context, sender.id, full).filter((one) => (only?.id ?? one.id) === one.id);
  const caused = { conversation: news.conversation, hop: news.hop, causes: [] };
  const budget = checkBudget(sender, recipients, { attention: "queue", caused }, context);
  const hold = budget.hold === undefined ? {} : { hold: { reason: budget.hold } };
  const timeoutMs = Math.min(news.timeoutMs, limits.requestMaxMs);
  const message = composeMessage(
    sender,
    { content: news.description, context: news.context, requestId: id },
    {
      id,
      type: "request",
      to: recipients.map((agent) => ({ agent: agent.id, name: agent.name, ...hold })),
      toName: "all",
      attention: "queue",
      caused,
    },
    views,
  );
  const opened = newEvent("RequestOpened", sender.id, {
    request: {
      id,
      from: sender.id,
      fromName: sender.name,
      description: message.content,
      ...(news.context === undefined ? {} : { context: news.context }),
      timeoutMs,
      ...deadlines(now, Math.min(news.expiresInMs, timeoutMs)),
      hub: peer.name,
    },
  });
  countTaken(taken, recipients);
  taken.opened.set(sender.id, (taken.opened.get(sender.id) ?? 0) + 1);
  return [...met, opened, accept(message, context), ...budget.events];
}

/** Who has as much of this peer in its inbox as it may have: it finds the request in the list, and is not told of it. */
function withoutRoom(context: HubContext, peer: Peer, from: AgentId, { inboxes }: TakenNews): AgentId[] {
  return audience(context, from).flatMap(({ id }) =>
    hasPeerRoom(peer.name, id, inboxes.get(id) ?? 0, context) ? [] : [id],
  );
}

function countTaken({ inboxes }: TakenNews, recipients: readonly { id: AgentId }[]): void {
  for (const { id } of recipients) inboxes.set(id, (inboxes.get(id) ?? 0) + 1);
}

/** All were reminded of it there, or whoever had it is gone: here they are reminded too. */
function openAgain(
  context: HubContext,
  peer: Peer,
  known: Request,
  news: News<"open">,
  taken: TakenNews,
): NewEvent[] {
  const { state } = known;
  if (state.kind === "answered") return [];
  const isNudged = news.nudges > known.nudges && known.nudges < context.limits.requestNudgeCap;
  if (state.kind === "open" && !isNudged) return [];
  const full = withoutRoom(context, peer, known.from, taken);
  countTaken(taken, audience(context, known.from, full));
  if (state.kind === "open") {
    const nudged = { request: known.id, from: known.from, by: known.from };
    return [newEvent("RequestNudged", known.from, nudged), remind(context, known, full)];
  }
  const by = state.kind === "claimed" ? state.by : SOMEBODY_ELSEWHERE;
  return [
    newEvent("RequestReopened", known.from, {
      request: known.id,
      from: known.from,
      by,
      reason: `${known.hub} says so`,
      ...deadlines(context.now, Math.min(news.expiresInMs, known.timeoutMs)),
    }),
    remind(context, known, full),
  ];
}

/** By somebody of this hub, whom the other one knows by its id here, or by somebody elsewhere. */
function claimedThere(
  { views }: HubContext,
  known: Request,
  { state, by }: News<"claimed" | "answered">,
): NewEvent[] {
  const own = by.id === undefined ? undefined : views.roster.byId(by.id);
  const claimer = own ?? { id: SOMEBODY_ELSEWHERE, name: nameThere(by.name, known) };
  const before = known.state;
  const isSame = "by" in before && before.by === claimer.id;
  if (state === "claimed") return isSame ? [] : [requestClaimed(known, claimer)];
  if (before.kind === "answered") return [];
  const { id, name: byName } = claimer;
  const told = { request: known.id, from: known.from, by: id, byName, message: "" };
  return [newEvent("RequestAnswered", own === undefined ? null : id, told)];
}

/** The one of that hub that had claimed a request of this one is gone. */
function claimerLeft(context: HubContext, peer: Peer, { id, by }: News<"left">): NewEvent[] {
  const { requests, peers } = context.views;
  const request = requests.byId(id);
  const claimer: AgentId | undefined = peers.byRemote(peer.name, by)?.id;
  if (request?.state.kind !== "claimed" || request.hub !== undefined) return [];
  if (claimer === undefined || request.state.by !== claimer) return [];
  return reopen(context, request, { by: claimer, reason: "left" });
}
