import type { SignedBatch } from "../contract/link/batch.js";
import type { Ack, Batch, Frame, HubId } from "../model/link.js";
import { type Identity, isSignedBy } from "./identity.js";
import type { KnownHubs } from "./known-hubs.js";

/*
 * What is signed begins with what it is, so that a signature of one thing is never good for another. JSON that was parsed is
 * written again as it was: that is what both sides sign.
 */

type Parties = { origin: HubId; dest: HubId };

/** The body of `POST /agent/link`. */
export function encodeBatch(
  identity: Identity,
  { dest, from, batch }: { dest: HubId; from: string; batch: Batch },
): string {
  const { epoch, low } = batch;
  const frames = JSON.stringify(batch.frames);
  const sig = identity.sign(batchText({ origin: identity.id, dest, epoch, low }, frames));
  const head = { v: 1, origin: identity.id, dest, from, key: identity.publicKey, epoch, low, sig };
  return `${JSON.stringify(head).slice(0, -1)},"frames":${frames}}`;
}

type VerifyKey = Exclude<ReturnType<KnownHubs["of"]>, undefined>["key"];

export function isBatchSigned(signed: SignedBatch, key: VerifyKey): boolean {
  return isSignedBy(
    key,
    batchText(signed, JSON.stringify(signed.frames satisfies readonly Frame[])),
    signed.sig,
  );
}

function batchText({ origin, dest, epoch, low }: Parties & Omit<Batch, "frames">, frames: string): string {
  return `huddle link batch\n${JSON.stringify([1, origin, dest, epoch, low])}\n${frames}`;
}

/** An ack that somebody else could write would empty our outbox. */
export function signAck(identity: Identity, dest: HubId, ack: Ack): string {
  return identity.sign(ackText({ origin: identity.id, dest }, ack));
}

export function isAckSigned(parties: Parties, ack: Ack, sig: string, key: VerifyKey): boolean {
  return isSignedBy(key, ackText(parties, ack), sig);
}

function ackText({ origin, dest }: Parties, { epoch, upTo, digest, want }: Ack): string {
  return `huddle link ack\n${JSON.stringify([1, origin, dest, epoch, upTo, digest, want ?? null])}`;
}
