import { randomBytes } from "node:crypto";
import { pairAnswer } from "../../contract/link/rpc.js";
import { HubError } from "../../model/errors.js";
import type { CallPeer } from "../http/call-peer.js";
import { readAnswer } from "../http/read-answer.js";
import { fingerprintOf, type Identity } from "../identity.js";
import { readInviteLine } from "./invite-line.js";
import { isProof, proveInviting, proveJoining, sharedSecret } from "./pair-proofs.js";

/** What a hub learned of the one that invited it. */
export type Inviter = { name: string; host: string; port: number; publicKey: string; secret: string };

type JoinOptions = {
  identity: Identity;
  /** What this hub is called, and where it can be reached; without a host: where it calls from. */
  self: { name: string; host?: string | undefined; port: number };
  caller: CallPeer;
};

const ANSWER_BYTES = 4096;

/** Uses an invitation: both hubs then know each other's name and key, and share a secret. */
export async function joinHub(line: string, { identity, self, caller }: JoinOptions): Promise<Inviter> {
  const { host, port, hub, secret } = readInviteLine(line);
  if (hub === identity.id) {
    throw new HubError("INVITE_INVALID", "This hub made that invitation itself; paste it at the other one");
  }
  const said = {
    v: 1 as const,
    kind: "pair" as const,
    from: self.name,
    key: identity.publicKey,
    ...(self.host === undefined ? {} : { host: self.host }),
    port: self.port,
    nonce: randomBytes(16).toString("base64url"),
  };
  const body = JSON.stringify({ ...said, proof: proveJoining(secret, hub, said) });
  const place = { name: host, host, port };
  const asked = { method: "POST" as const, path: "/agent/rpc", body, answerBytes: ANSWER_BYTES };
  const answer = readAnswer(place, await caller.call(place, asked), pairAnswer);
  if (fingerprintOf(answer.key) !== hub || !isProof(answer.proof, proveInviting(secret, said, answer))) {
    throw new HubError(
      "PEER_UNTRUSTED",
      `Whoever answered at ${host} is not the hub that made this invitation. Nothing was stored`,
      { peer: host },
    );
  }
  return {
    name: answer.name,
    host,
    port,
    publicKey: answer.key,
    secret: sharedSecret(secret, said.nonce, answer.nonce),
  };
}
