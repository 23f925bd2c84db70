import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { LinkMail } from "../../model/link.js";
import {
  type Addressee,
  type HoldReason,
  isSendable,
  type MessageType,
  type SendableType,
} from "../../model/message.js";
import type { Peer } from "../../model/peer.js";
import type { RequestId } from "../../model/request.js";
import { isTypedKind } from "../../model/typed-message.js";
import type { HubContext } from "../context.js";
import { answering } from "./answer-by-reply.js";
import { checkBudget } from "./budget.js";
import { accept, composeMessage, type Written } from "./compose-message.js";
import { type Caused, conversationOf } from "./conversation-of.js";
import { findDestination } from "./find-destination.js";
import { findRequest } from "./find-request.js";
import { forwarded } from "./forward.js";
import { checkPeerShare, checkRoom } from "./inbox-room.js";
import type { Met } from "./meet-peer-agent.js";
import { takeCoordination } from "./peer-work.js";
import { proveRead } from "./prove-by-reply.js";
import { repliedMessage } from "./replied-message.js";

/** What one command has taken of a peer before this: the views know nothing of it yet. `inboxes`: how much into each. */
export type Taken = {
  asked: Set<string>;
  proven: Set<number>;
  inboxes: Map<AgentId, number>;
  answered: Map<RequestId, AgentId>;
  begun: Set<string>;
};

export const nothingTaken = (): Taken => ({
  asked: new Set(),
  proven: new Set(),
  inboxes: new Map(),
  answered: new Map(),
  begun: new Set(),
});

type PeerMail = { peer: Peer; mail: LinkMail; sender: Met };

/**
 * Mail of another hub comes into an inbox of this one: marked as a peer's, without a cooldown, and never to interrupt unless that
 * is allowed. Throws where it cannot be taken.
 */
export function acceptPeerMail(
  context: HubContext,
  { peer, mail, sender: { agent: sender, met } }: PeerMail,
  taken: Taken,
): { events: NewEvent[]; target: Agent } {
  const { views } = context;
  const target = forwardedHere(context, sender, findDestination(context, mail.to));
  checkRoom(sender.id, target, context);
  const before = taken.inboxes.get(target.id) ?? 0;
  checkPeerShare(peer.name, target, before, context);
  const answered = answerRequest(context, { peer, sender, target }, mail, taken);
  // What makes a request, a notice or an order of a message is for its own hub to decide.
  const sendable: SendableType = isSendable(mail.type) ? mail.type : "message";
  const type = answered === undefined ? sendable : "response";
  const attention = attentionOf(mail, type, context);
  const caused = causedBy(context, peer, sender, target, mail);
  const budget = checkBudget(sender, [target], { attention, caused }, context);
  const isAsked = budget.hold !== undefined && taken.asked.has(budget.hold + caused.conversation);
  if (budget.hold !== undefined) taken.asked.add(budget.hold + caused.conversation);
  const message = composeMessage(
    sender,
    { ...written(mail), ...(answered === undefined ? {} : { requestId: answered.requestId }) },
    {
      id: mail.id,
      type,
      to: [addressee(context, sender, target, budget.hold)],
      toName: target.name,
      attention,
      caused,
    },
    views,
  );
  taken.inboxes.set(target.id, before + 1);
  return {
    events: [
      ...met,
      accept(message, context),
      ...(answered?.events ?? proofs(context, peer, sender, target, mail, taken)),
      ...saidStatus(context, peer, sender, mail),
      ...takeOver(context, sender, target, mail),
      ...takeCoordination(context, peer, sender, mail, taken.begun),
      ...(isAsked ? [] : budget.events),
    ],
    target,
  };
}

/** It is not sent on to a third hub. */
function forwardedHere(context: HubContext, sender: Agent, target: Agent): Agent {
  const next = forwarded(context, sender.id, target);
  return next.hub === null ? next : target;
}

/** What was claimed by the one who hands over, where nobody here has it. */
function takeOver(context: HubContext, sender: Agent, target: Agent, { typed }: LinkMail): NewEvent[] {
  if (typed?.kind !== "handoff" || target.id === HUMAN_ID) return [];
  return (typed.work ?? []).slice(0, context.limits.workAgentCap).flatMap((task) => {
    if (context.views.work.get(task) !== undefined) return [];
    const until = context.now + context.limits.workLeaseMs;
    const claim = { task, owner: target.id, ownerName: target.name, until };
    return [newEvent("WorkClaimed", target.id, { claim, told: sender.id })];
  });
}

/** A reply to a request that is shared with its hub, to whoever asked, is the answer. Refused where somebody else has claimed it. */
function answerRequest(
  context: HubContext,
  { peer, sender, target }: { peer: Peer; sender: Agent; target: Agent },
  { id, replyTo }: LinkMail,
  { answered }: Taken,
): { requestId: RequestId; events: NewEvent[] } | undefined {
  const request = replyTo === undefined ? undefined : context.views.requests.byId(replyTo);
  if (replyTo === undefined || request?.hubs?.includes(peer.name) !== true) return undefined;
  if (request.from !== target.id) return undefined;
  // What it adds to the answer that came in the same batch.
  if (answered.get(request.id) === sender.id) return { requestId: request.id, events: [] };
  if (answered.has(request.id)) throw new HubError("REQUEST_ANSWERED", "This request was answered already");
  const found = findRequest(context, request.id);
  const events = answering(context, found, { sender, target, replyTo, by: id });
  answered.set(request.id, sender.id);
  return { requestId: request.id, events };
}

/** These fields and no others: a frame is handed on with whatever else its sender wrote into it. */
function written({ content, context, replyTo, expiresInMs, callbackUrl, typed }: LinkMail): Written {
  // What only a later version knows is left out; its text says it as well.
  const known = typed !== undefined && isTypedKind(typed.kind) ? typed : undefined;
  return { content, context, replyTo, expiresInMs, callbackUrl, typed: known };
}

function attentionOf({ attention }: LinkMail, type: MessageType, { limits }: HubContext): Attention {
  if (type === "status") return "fyi";
  return attention === "interrupt" && !limits.peerMail.interrupt ? "queue" : attention;
}

/** A hub tells how far a conversation has come; what a plain daemon was sent lately is what it answers. */
function causedBy(context: HubContext, peer: Peer, sender: Agent, target: Agent, mail: LinkMail): Caused {
  const { id, replyTo, conversation, hop } = mail;
  if (peer.kind === "plain") return conversationOf(sender, { id, replyTo, target: target.id }, context);
  return { conversation, hop, causes: [] };
}

function addressee(
  { views }: HubContext,
  sender: Agent,
  { id, name }: Agent,
  held: HoldReason | undefined,
): Addressee {
  const reason = views.pausedPairs.has(sender.id, id) ? "paused" : held;
  return { agent: id, name, ...(reason === undefined ? {} : { hold: { reason } }) };
}

/** A reply proves that its message was read: by whoever it was sent to, or by whoever got it in the name of its hub. */
function proofs(
  { views }: HubContext,
  peer: Peer,
  { id: sender }: Agent,
  { id: target }: Agent,
  { id, replyTo }: LinkMail,
  taken: Taken,
): NewEvent[] {
  if (replyTo === undefined) return [];
  for (const replier of [sender, views.peers.front(peer.name)?.id ?? sender]) {
    const received = repliedMessage(views, { replier, replyTo, target });
    if (received === undefined || taken.proven.has(received.seq)) continue;
    taken.proven.add(received.seq);
    return proveRead(views, { replier, seq: received.seq, replyTo, by: id });
  }
  return [];
}

/** What it says of itself is all that is known of it. */
function saidStatus({ views }: HubContext, peer: Peer, { id }: Agent, { typed }: LinkMail): NewEvent[] {
  if (typed?.kind !== "status" || views.peers.agent(id)?.status === typed.status) return [];
  return [
    newEvent("PeerAgentChanged", id, {
      agent: id,
      peer: peer.name,
      status: typed.status,
      evidence: "it says so",
    }),
  ];
}
