import { HubError } from "../model/errors.js";
import type { Ack, Batch } from "../model/link.js";
import type { Peer } from "../model/peer.js";
import { toAgentMessage } from "./agent-messages.js";
import type { IdentifyPeer } from "./identify-peer.js";
import type { Link } from "./link.js";
import type { LinkHub } from "./link-hub.js";

/**
 * What one try came to. `nothing`: nothing waits. `taken`: go on at once. `behind`: the peer answered and has not all of it; go
 * back to what it wants, after a moment.
 */
type HandedOver = "nothing" | "taken" | "behind";

type Ends = { hub: LinkHub; link: Link; identify: IdentifyPeer; onFound: () => void };

/** Hands the peer what waits for it, once. Throws what kept it from that. */
export function handOver(peer: Peer, ends: Ends): Promise<HandedOver> {
  return peer.kind === "hub" ? handOverBatches(peer, ends) : handOverMessage(peer, ends);
}

/** As many batches as may be under way at once. All of them have ended when this does. */
async function handOverBatches(peer: Peer, { hub, link, onFound }: Ends): Promise<HandedOver> {
  const first = await hub.numberFrames(peer.name);
  if (first === undefined) return "nothing";
  onFound();
  const underWay = [outcomeOf(sendWhatFits(peer, first, link))];
  // Where one message waits, no second batch does.
  let last: Batch | undefined = first.frames.length > 1 ? first : undefined;
  while (last !== undefined && underWay.length < (link.ahead?.(peer) ?? 1)) {
    last = await hub.numberFrames(peer.name, last.frames.at(-1)?.n);
    // Numbers of a new row do not go on from those of another.
    if (last?.epoch !== first.epoch) break;
    underWay.push(outcomeOf(sendWhatFits(peer, last, link)));
  }
  return settleAll(peer, await Promise.all(underWay), hub);
}

/** Throws what the first that failed failed with, after what those before it came to is noted. */
async function settleAll(peer: Peer, outcomes: readonly Outcome[], hub: LinkHub): Promise<HandedOver> {
  let noted: Ack | undefined;
  for (const outcome of outcomes) {
    if ("error" in outcome) throw outcome.error;
    const { batch } = outcome;
    if ("tooLarge" in outcome) {
      await hub.frameRefused(peer.name, { epoch: batch.epoch, n: outcome.n, reason: outcome.tooLarge });
      return "taken";
    }
    // One ack may be that of several.
    if (outcome.ack !== noted) await hub.acknowledgeFrames(peer.name, outcome.ack);
    noted = outcome.ack;
    if (!hasAll(batch, noted)) return "behind";
  }
  return "taken";
}

type Outcome = Sent | { error: unknown };

const outcomeOf = (sent: Promise<Sent>): Promise<Outcome> => sent.catch((error: unknown) => ({ error }));

type Sent = { batch: Batch; ack: Ack } | { batch: Batch; tooLarge: string; n: number };

/** The peer alone knows how much it reads at once: what is too much for it goes in halves, down to one frame that it never takes. */
async function sendWhatFits(peer: Peer, batch: Batch, link: Link): Promise<Sent> {
  try {
    return { batch, ack: await link.send(peer, batch) };
  } catch (error) {
    if (!(error instanceof HubError) || error.details["status"] !== TOO_LARGE) throw error;
    const [first, ...others] = batch.frames;
    if (first === undefined) throw error;
    if (others.length > 0) {
      return sendWhatFits(peer, { ...batch, frames: batch.frames.slice(0, (others.length + 1) >> 1) }, link);
    }
    if (first.kind !== "mail") throw error;
    return { batch, tooLarge: error.message, n: first.n };
  }
}

const TOO_LARGE = 413;

function hasAll({ epoch, frames }: Batch, ack: Ack): boolean {
  return ack.epoch === epoch && ack.want === undefined && ack.upTo >= (frames.at(-1)?.n ?? 0);
}

/** Asked again, a daemon of document 004 may say something else. */
const PASSING = new Set<unknown>([401, 408, 429]);

async function handOverMessage(peer: Peer, { hub, link, identify, onFound }: Ends): Promise<HandedOver> {
  const mail = await hub.nextPlain(peer.name);
  if (mail === undefined) return "nothing";
  onFound();
  // What it is given from now on has a number, this message too.
  if ((await identify(peer)) === "hub") return "taken";
  try {
    await link.sendPlain(peer, toAgentMessage(mail, hub.self.name));
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== "PEER_REFUSED") throw error;
    if (PASSING.has(error.details["status"])) throw error;
    await hub.plainRefused(peer.name, mail.seq, error.message);
    return "taken";
  }
  await hub.plainTaken(peer.name, mail.seq);
  return "taken";
}
