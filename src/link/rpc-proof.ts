import type { KeyObject } from "node:crypto";
import { HubError } from "../model/errors.js";
import type { HubId } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import { type Identity, isSignedBy } from "./identity.js";
import { untrusted } from "./known-hubs.js";

/*
 * A secret may be known to several hubs: by it alone one could claim a request in another's name. So hubs sign what they ask, too. What is signed
 * is for one run of the hub that is asked, and has a number: it cannot be said to another hub, or again, or after a restart. No clock is needed for that.
 */

/** `to`: the run of the hub that is asked; `run`: that of the hub that asks; `n` counts what it asked in that run. */
export type RpcProof = { dest: HubId; to: string; run: string; n: number };

/** The body of `POST /agent/rpc`, signed. */
export function encodeRpc(identity: Identity, call: object, proof: RpcProof): string {
  const said = { ...call, proof };
  return JSON.stringify({ ...said, sig: identity.sign(rpcText(said)) });
}

function isRpcSigned(body: unknown, sig: string, key: KeyObject): boolean {
  if (typeof body !== "object" || body === null) return false;
  // JSON that was parsed is written again as it was.
  const said = Object.fromEntries(Object.entries(body).filter(([name]) => name !== "sig"));
  return isSignedBy(key, rpcText(said), sig);
}

function rpcText(said: object): string {
  return `huddle link rpc\n${JSON.stringify(said)}`;
}

type Asked = { kind: string; proof?: RpcProof; sig?: string };

export type RpcGuard = {
  /**
   * Throws PEER_UNTRUSTED for what the key did not sign for this hub, and RPC_STALE for what was signed for an earlier run of it, or was said
   * before. `body` is the call as it came.
   */
  check(peer: Peer, asked: Asked, body: unknown, key: KeyObject): void;
  keepOnly(peers: readonly Peer[]): void;
};

/** What changes something, or is believed. The others only ask what every peer may know; hubs of earlier versions do not sign. */
const mustBeSigned: ReadonlySet<string> = new Set(["claim", "presence"]);

/** Calls overtake each other by a few. */
const WINDOW = 256;

export function createRpcGuard({ id, run }: { id: HubId; run: string }): RpcGuard {
  const heard = new Map<PeerName, { run: string; highest: number; seen: Set<number> }>();

  /** Whether this number of that run is heard for the first time. */
  function isNew(peer: PeerName, proof: RpcProof): boolean {
    const before = heard.get(peer);
    const row = before?.run === proof.run ? before : { run: proof.run, highest: 0, seen: new Set<number>() };
    if (row.seen.has(proof.n) || proof.n <= row.highest - WINDOW) return false;
    row.seen.add(proof.n);
    row.highest = Math.max(row.highest, proof.n);
    if (row.seen.size > 2 * WINDOW)
      for (const n of row.seen) if (n <= row.highest - WINDOW) row.seen.delete(n);
    heard.set(peer, row);
    return true;
  }

  return {
    check(peer, { kind, proof, sig }, body, key) {
      if (proof === undefined || sig === undefined) {
        if (!mustBeSigned.has(kind)) return;
        throw untrusted(peer, `did not sign its ${kind}. If it is an older Huddle, update it`);
      }
      if (!isRpcSigned(body, sig, key)) throw untrusted(peer, "signed wrongly");
      if (proof.dest !== id) throw untrusted(peer, "asks another hub: this is not the one it means");
      if (proof.to === run && isNew(peer.name, proof)) return;
      throw new HubError(
        "RPC_STALE",
        "That was said before, or to this hub before it started anew: ping it, sign again, and ask again",
        { peer: peer.name },
      );
    },
    keepOnly(peers) {
      const names = new Set(peers.map(({ name }) => name));
      for (const name of heard.keys()) if (!names.has(name)) heard.delete(name);
    },
  };
}
