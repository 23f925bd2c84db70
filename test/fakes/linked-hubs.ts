import type { Ack, Batch, LinkMail } from "../../src/model/link.js";
import type { Peer, PeerName } from "../../src/model/peer.js";
import { openTestHub, type TestHub } from "./test-hub.js";
import type { TestJournalOptions } from "./test-journal.js";

/** A hub, and what it calls the other. */
export type LinkedHub = { hub: TestHub; other: PeerName };

export function peerNamed(name: PeerName, more: Partial<Peer> = {}): Peer {
  return {
    name,
    kind: "hub",
    host: `${name}.local`,
    port: 3847,
    label: null,
    hubId: null,
    publicKey: null,
    secret: null,
    origin: "paired",
    ...more,
  };
}

/** Two hubs that are peers of each other, with nothing between them: tests carry the batches. */
export async function openLinkedHubs(options: TestJournalOptions = {}) {
  const [bmo, r2d2] = [openTestHub(options), openTestHub(options)];
  await bmo.execute("addPeer", { peer: peerNamed("r2d2", { label: "R2" }) });
  await r2d2.execute("addPeer", { peer: peerNamed("bmo") });
  return { bmo: { hub: bmo, other: "r2d2" }, r2d2: { hub: r2d2, other: "bmo" } };
}

/** What a wire does to a value. */
function overWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** One batch there and its ack back; undefined when nothing waits. */
export async function carryOnce(from: LinkedHub, to: LinkedHub): Promise<Ack | undefined> {
  const batch = await from.hub.execute("numberFrames", { peer: from.other });
  if (batch === undefined) return undefined;
  const ack = await receive(to, batch);
  await from.hub.execute("acknowledgeFrames", { peer: from.other, ack: overWire(ack) });
  return ack;
}

export function receive({ hub, other }: LinkedHub, batch: Batch): Promise<Ack> {
  return hub.execute("receiveFrames", { peer: other, batch: overWire(batch) });
}

const MOST_ROUNDS = 300;

/** Until neither has anything for the other. */
export async function carryAll(one: LinkedHub, two: LinkedHub): Promise<void> {
  for (let idle = 0, rounds = 0; idle < 2; rounds++) {
    if (rounds > MOST_ROUNDS) throw new Error(`the two hubs do not come to rest in ${MOST_ROUNDS} rounds`);
    const carried = [await carryOnce(one, two), await carryOnce(two, one)];
    idle = carried.every((ack) => ack === undefined) ? idle + 1 : 0;
  }
}

/** What a plain daemon says, as the listener reads it. */
export function plainMail(id: string, content: string, more: Partial<LinkMail> = {}): LinkMail {
  return {
    id,
    type: "text",
    from: { id: "", name: "r2d2", team: "main" },
    to: {},
    content,
    attention: "queue",
    at: 0,
    conversation: id,
    hop: 0,
    ...more,
  };
}
