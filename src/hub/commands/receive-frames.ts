import { HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { DeliveryState } from "../../model/delivery.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import {
  type Ack,
  type Batch,
  type Frame,
  type LinkMail,
  type LinkReceipt,
  type Party,
  type RequestNews,
  unknownWord,
} from "../../model/link.js";
import { quoteLine } from "../../model/others-words.js";
import type { Peer, PeerName } from "../../model/peer.js";
import { frameDigest } from "../../views/frame-digest.js";
import type { HubContext, HubDecider } from "../context.js";
import { findPeer } from "../rules/find-peer.js";
import { type Met, meetParty } from "../rules/meet-peer-agent.js";
import { notify } from "../rules/notify.js";
import { acceptPeerMail, nothingTaken, type Taken } from "../rules/peer-mail.js";
import { applyReceipt, type Progress } from "../rules/peer-receipt.js";
import { lastNews, type TakenNews, takeNews } from "../rules/peer-requests.js";

type ReceiveFrames = { peer: PeerName; batch: Batch };

/**
 * Takes the next numbers of a peer, in order: what came before is not taken twice, and nothing is left out. The answer says up
 * to where this hub has all of it, and is given once that is on disk.
 */
export const receiveFrames: HubDecider<ReceiveFrames, Ack> = ({ peer: name, batch }, context) => {
  const peer = findPeer(context.views, name);
  const { epoch, low, frames } = batch;
  const known = context.views.linkFrames.incoming(name);
  // The sender had given this epoch up. If it takes it up again it was restored: no frame has this digest, so it begins another.
  if (known?.retired.includes(epoch) === true)
    return answer([], { epoch, upTo: Math.max(1, frames.at(-1)?.n ?? low), digest: null });

  const before = known?.epoch === epoch ? known : { upTo: 0, digest: null };
  const same = frames.find(({ n }) => n === before.upTo);
  // Another history under the same numbers: the sender was restored, and sees so by the digest of the frame that is here.
  if (same !== undefined && before.digest !== null && frameDigest(same) !== before.digest)
    return answer([], { epoch, upTo: before.upTo, digest: before.digest });

  const isGap = low > before.upTo + 1;
  const upTo = isGap ? low - 1 : before.upTo;
  const next = frames.filter(({ n }) => n > upTo).sort((a, b) => a.n - b.n);
  const inOrder = next.filter(({ n }, i) => n === upTo + 1 + i);
  const last = inOrder.at(-1);
  const gap = isGap ? tellGap(context, { peer: name, epoch, from: before.upTo + 1, to: upTo }) : [];
  const want = inOrder.length < next.length ? { want: (last?.n ?? upTo) + 1 } : {};
  if (last === undefined) {
    return answer(gap, { epoch, upTo, digest: isGap ? null : before.digest, ...want });
  }
  const digest = frameDigest(last);
  const { events, refused } = takeFrames(
    context,
    peer,
    inOrder.filter((frame) => unknownWord(frame) === undefined),
  );
  const skipped = tellSkipped(context, peer, inOrder);
  const received = newEvent("FramesReceived", null, {
    peer: name,
    epoch,
    upTo: last.n,
    digest,
    ...(refused.length === 0 ? {} : { refused }),
  });
  return answer([...gap, ...events, ...skipped, received], { epoch, upTo: last.n, digest, ...want });
};

function answer(events: readonly NewEvent[], ack: Ack) {
  return { events, answer: () => ack };
}

type Gap = { peer: PeerName; epoch: string; from: number; to: number };

/** The peer dropped them once this hub had them: so this hub was restored from a copy, and they are lost here. */
function tellGap(context: HubContext, gap: Gap): NewEvent[] {
  const count = gap.to - gap.from + 1;
  return [
    newEvent("LinkGap", null, gap),
    notify(context, {
      to: [HUMAN_ID],
      type: "system",
      content:
        `Mail from ${gap.peer} is missing: up to ${count} messages and receipts came here before, are not in this hub's data, and ${gap.peer} does not have them to send any more. ` +
        "This hub was probably restored from a copy. Ask there what was sent since that copy was made.",
      attention: "queue",
      notice: "gap",
      metadata: { gap: gap.peer, from: gap.from, to: gap.to },
    }),
  ];
}

/** Once for each peer: a hub of a later version may say such things all day. */
function tellSkipped(context: HubContext, peer: Peer, frames: readonly Frame[]): NewEvent[] {
  const word = frames.map(unknownWord).find((one) => one !== undefined);
  const id = `skipped-${peer.name}`;
  if (word === undefined || context.views.messages.bySender(HUB_ID, id) !== undefined) return [];
  return [
    notify(context, {
      to: [HUMAN_ID],
      id,
      type: "system",
      content:
        `${peer.name} runs a later version of Huddle and told this hub something that it does not understand ("${quoteLine(word)}"). ` +
        "That was passed over; mail still comes. Update this hub to have all of it.",
      attention: "queue",
      notice: "skipped",
      metadata: { skipped: peer.name },
    }),
  ];
}

/** What this command has decided of the frames before: the views know nothing of it yet. */
type Batched = Taken & TakenNews & { met: Map<string, Met>; progress: Progress; seen: Set<string> };

function takeFrames(
  context: HubContext,
  peer: Peer,
  frames: readonly Frame[],
): { events: NewEvent[]; refused: LinkReceipt[] } {
  const batched: Batched = {
    met: new Map(),
    progress: new Map<number, DeliveryState>(),
    seen: new Set(),
    opened: new Map(),
    ...nothingTaken(),
  };
  const last = lastNews(frames);
  const events: NewEvent[] = [];
  const refused: LinkReceipt[] = [];
  for (const frame of frames) {
    if (frame.kind === "receipt") {
      const { progress, proven } = batched;
      events.push(...applyReceipt(context, peer, frame.receipt, progress, proven));
    }
    if (frame.kind === "request" && last.has(frame))
      events.push(...readNews(context, peer, frame.request, batched));
    if (frame.kind === "mail") {
      const taken = takeMail(context, peer, frame.mail, batched);
      if (Array.isArray(taken)) events.push(...taken);
      else refused.push(taken);
    }
  }
  return { events, refused };
}

/** Of what is not taken, because too much is open here or its sender has no name, nothing is shown here. */
function readNews(context: HubContext, peer: Peer, news: RequestNews, batched: Batched): NewEvent[] {
  try {
    const meetSender = (from: Party) => {
      const sender = meet(context, peer, from, batched);
      batched.met.set(from.id, { ...sender, met: [] });
      return sender;
    };
    return takeNews(context, peer, news, meetSender, batched);
  } catch (error) {
    if (error instanceof HubError) return [];
    throw error;
  }
}

function meet(context: HubContext, peer: Peer, from: Party, { met }: Batched): Met {
  return met.get(from.id) ?? meetParty(context, peer, from);
}

const NOT_FOUND = ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS", "TARGET_INVALID"];

/** What cannot be taken is answered by a receipt; the frame counts as taken, so that what follows is not kept from coming. */
function takeMail(
  context: HubContext,
  peer: Peer,
  mail: LinkMail,
  batched: Batched,
): NewEvent[] | LinkReceipt {
  try {
    const sender = meet(context, peer, mail.from, batched);
    // A sender that was restored sends again what this hub has.
    const key = `${sender.agent.id} ${mail.id}`;
    if (batched.seen.has(key) || context.views.messages.bySender(sender.agent.id, mail.id) !== undefined)
      return [];
    const { events } = acceptPeerMail(context, { peer, mail, sender }, batched);
    batched.seen.add(key);
    batched.met.set(mail.from.id, { ...sender, met: [] });
    return events;
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const state = NOT_FOUND.includes(error.code) ? "failed" : "refused";
    return { id: mail.id, from: mail.from.id, state, at: context.at, reason: error.message };
  }
}
