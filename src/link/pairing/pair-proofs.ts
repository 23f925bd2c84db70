import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { PairAnswer, PairCall } from "../../contract/link/rpc.js";
import type { HubId } from "../../model/link.js";

/*
 * Both sides show that they know the secret of the invitation without sending it, each over all that it says and what the
 * other said. The secret that they share from then on is made of it and of both nonces, so it does not travel either.
 */

type Joining = Omit<PairCall, "proof">;
type Inviting = Omit<PairAnswer, "proof">;

/** What the hub that joins shows. `inviter`: the fingerprint in the line, so that no other hub can use it. */
export function proveJoining(secret: string, inviter: HubId, call: Joining): string {
  const { v, from, key, host, port, nonce } = call;
  return prove(secret, "huddle pair join", [v, inviter, from, key, host ?? null, port, nonce]);
}

/** What the hub that invited shows. */
export function proveInviting(secret: string, call: Joining, { name, key, nonce }: Inviting): string {
  return prove(secret, "huddle pair invite", [call.key, call.nonce, name, key, nonce]);
}

export function sharedSecret(secret: string, joinNonce: string, inviteNonce: string): string {
  const salt = `${joinNonce}.${inviteNonce}`;
  return Buffer.from(hkdfSync("sha256", secret, salt, "huddle peer secret", 32)).toString("base64url");
}

export function isProof(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function prove(secret: string, what: string, said: readonly unknown[]): string {
  return createHmac("sha256", secret)
    .update(`${what}\n${JSON.stringify(said)}`)
    .digest("base64url");
}
