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
  { dest, from, run, batch }: { dest: HubId; from: string; run?: string | undefined; batch: Batch },
): string {
  const { epoch, low } = batch;
  const frames = JSON.stringify(batch.frames);
  const sig = identity.sign(batchText({ origin: identity.id, dest, epoch, low, run }, frames));
  const named = run === undefined ? {} : { run };
  const head = { v: 1, origin: identity.id, dest, from, key: identity.publicKey, epoch, low, ...named, sig };
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

type BatchHead = Parties & Omit<Batch, "frames"> & { run?: string | undefined };

function batchText({ origin, dest, epoch, low, run }: BatchHead, frames: string): string {
  const head = [1, origin, dest, epoch, low, ...(run === undefined ? [] : [run])];
  return `huddle link batch\n${JSON.stringify(head)}\n${frames}`;
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
