import type { PairAnswer, PairCall } from "../../contract/link/rpc.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import { checkAgentName, firstFreeName, toName } from "../../model/names.js";
import type { Peer, PeerName } from "../../model/peer.js";
import type { CallPeer } from "../http/call-peer.js";
import { isAnyAddress, lanAddress } from "../http/lan-address.js";
import type { Interfaces } from "../http/local-address.js";
import { fingerprintOf, type Identity } from "../identity.js";
import type { LinkHub } from "../link-hub.js";
import type { After } from "../timers.js";
import { createInvitations, INVITATION_MS } from "./invitations.js";
import { readInviteLine, writeInviteLine } from "./invite-line.js";
import { joinHub } from "./join-hub.js";

/** How two hubs come to know each other: one makes a line, the other is given it. */
export type Pairing = {
  invite(): Promise<{ line: string; expiresAt: number }>;
  /** `name`: what to call the other; default: what it calls itself, if no other peer is called so. */
  join(line: string, options?: { name?: PeerName }): Promise<Peer>;
};

type PairingOptions = {
  hub: LinkHub;
  identity: Identity;
  caller: CallPeer;
  addPeer: (peer: Peer, secret: string) => Promise<void>;
  clock: Clock;
  after: After;
  listener: { host: string; settle(): Promise<number | undefined> };
  interfaces?: Interfaces | undefined;
};

type PairingDesk = Pairing & {
  /** From the hub that was given the line. */
  accept(call: PairCall, address: string): Promise<PairAnswer>;
  /** Whether the listener is needed for it. */
  isUnderWay(): boolean;
  close(): void;
};

export function createPairing(options: PairingOptions): PairingDesk {
  const { hub, identity, caller, addPeer, clock, after, listener, interfaces } = options;
  const invitations = createInvitations(identity, hub.self, clock);
  let joining = 0;
  let callOffExpiry = () => {};

  const ownHost = () => (isAnyAddress(listener.host) ? lanAddress(interfaces) : listener.host);

  /** The name that this hub gives another. One that was paired before keeps the name that it had. */
  function nameFor(publicKey: string, wanted: string, given?: PeerName): PeerName {
    const others = hub.peers().filter(({ hubId }) => hubId !== fingerprintOf(publicKey));
    const isTaken = (name: string) => others.some((peer) => peer.name === name);
    if (given !== undefined) {
      if (!isTaken(given)) return given;
      throw new HubError(
        "INVALID_INPUT",
        `Another peer is named "${given}"; choose another name for this one`,
      );
    }
    const before = hub.peers().find(({ hubId }) => hubId === fingerprintOf(publicKey));
    return before?.name ?? firstFreeName(toName(wanted) ?? "peer", isTaken);
  }

  function pairedPeer(name: PeerName, host: string, port: number, publicKey: string): Peer {
    const hubId = fingerprintOf(publicKey);
    return { name, kind: "hub", host, port, label: null, hubId, publicKey, secret: null, origin: "paired" };
  }

  /** A port that it got only after the listener opened. */
  async function ownPort(): Promise<number> {
    const port = await listener.settle();
    if (port !== undefined) return port;
    throw new HubError("SHUTTING_DOWN", "The hub is stopping; pair the two once it is back");
  }

  return {
    async invite() {
      const { secret, expiresAt } = invitations.open();
      callOffExpiry();
      callOffExpiry = after(INVITATION_MS + 1000, () => void listener.settle().catch(() => {}));
      const line = writeInviteLine({ host: ownHost(), port: await ownPort(), hub: identity.id, secret });
      return { line, expiresAt };
    },
    async join(line, { name } = {}) {
      if (name !== undefined) checkAgentName(name);
      // Before anything is opened for it.
      readInviteLine(line);
      joining++;
      try {
        const host = isAnyAddress(listener.host) ? undefined : listener.host;
        const self = { name: hub.self.name, host, port: await ownPort() };
        const inviter = await joinHub(line, { identity, self, caller });
        const own = nameFor(inviter.publicKey, inviter.name, name);
        const peer = pairedPeer(own, inviter.host, inviter.port, inviter.publicKey);
        await addPeer(peer, inviter.secret);
        return peer;
      } finally {
        joining--;
        await listener.settle();
      }
    },
    accept: (call, address) =>
      invitations.accept(call, async ({ secret }) => {
        const name = nameFor(call.key, call.from);
        await addPeer(pairedPeer(name, call.host ?? address, call.port, call.key), secret);
      }),
    isUnderWay: () => joining > 0 || invitations.hasOpen(),
    close: () => callOffExpiry(),
  };
}
