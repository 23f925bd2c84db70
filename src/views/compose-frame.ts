import { DEFAULT_TEAM } from "../model/address.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import type { Destination, Frame, LinkMail, LinkReceipt, Party } from "../model/link.js";
import type { Message, MessageId } from "../model/message.js";
import type { PeerName } from "../model/peer.js";
import type { NumberedFrame } from "../model/peer-events.js";
import { idThere } from "../model/request.js";
import type { Messages, StoredMessage } from "./messages.js";
import type { PeerAgent, Peers } from "./peers.js";
import { composeNews, type RequestNote } from "./request-news.js";
import type { Requests } from "./requests.js";
import type { Roster } from "./roster.js";

type Sources = {
  peers: Pick<Peers, "agent">;
  roster: Pick<Roster, "byId">;
  messages: Pick<Messages, "bySeq" | "bySender">;
  requests: Pick<Requests, "byId">;
};

/** What a peer is to be told that is no mail. */
export type Owed = { receipt: LinkReceipt } | { note: RequestNote };

/** The frame that a number is given to. What is not to be found any more was pruned: its number is filled all the same. */
export function frameOf(
  numbered: NumberedFrame,
  owed: Owed | undefined,
  { peer, now }: { peer: PeerName; now: number },
  sources: Sources,
): Frame {
  const { n } = numbered;
  if (owed !== undefined && "receipt" in owed) return { n, kind: "receipt", receipt: owed.receipt };
  if (owed !== undefined) {
    const request = composeNews(owed.note, peer, now, sources);
    return request === undefined ? { n, kind: "void" } : { n, kind: "request", request };
  }
  const mail = "agent" in numbered ? mailOf(numbered.seq, numbered.agent, now, sources) : undefined;
  return mail === undefined ? { n, kind: "void" } : { n, kind: "mail", mail };
}

/** A message as it travels; `now` is hub time. */
export function mailOf(seq: number, agent: AgentId, now: number, sources: Sources): LinkMail | undefined {
  const stored = sources.messages.bySeq(seq);
  const recipient = sources.peers.agent(agent);
  return stored && recipient && composeMail(stored, recipient, now, sources);
}

function composeMail(
  { at, data: { message, expiresAt } }: StoredMessage,
  recipient: PeerAgent,
  now: number,
  sources: Sources,
): LinkMail {
  const replyTo = repliedThere(message, recipient, sources);
  return {
    id: message.id,
    type: message.type,
    from: partyOf(message, sources),
    to: destinationOf(recipient),
    content: message.content,
    ...(message.context === undefined ? {} : { context: message.context }),
    ...(replyTo === undefined ? {} : { replyTo }),
    attention: message.attention,
    ...(message.typed === undefined ? {} : { typed: message.typed }),
    ...(message.callbackUrl === undefined ? {} : { callbackUrl: message.callbackUrl }),
    // Its alarm may not have rung yet.
    ...(expiresAt === undefined ? {} : { expiresInMs: Math.max(1, expiresAt - now) }),
    at,
    conversation: message.conversation,
    hop: message.hop,
  };
}

/** What it replies to, as the other hub calls it: a request of its own by its own id. */
function repliedThere(
  { replyTo, requestId }: Message,
  { peer }: PeerAgent,
  { requests }: Sources,
): MessageId | undefined {
  const request = requestId === undefined ? undefined : requests.byId(requestId);
  if (replyTo === undefined || request?.hub === undefined) return replyTo;
  return request.hub === peer ? idThere(request) : undefined;
}

function partyOf({ from, fromName }: Message, { roster }: Sources): Party {
  const team = roster.byId(from)?.team ?? DEFAULT_TEAM;
  return { id: from, name: fromName, team, ...(from === HUMAN_ID ? { isPerson: true } : {}) };
}

/** The id settles it; until that is known, what the sender wrote. */
function destinationOf({ isFront, remote, team, name }: PeerAgent): Destination {
  if (isFront) return {};
  return { ...(remote === null ? {} : { id: remote }), ...(team === null ? {} : { team }), name };
}
