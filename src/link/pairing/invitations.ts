import { randomBytes } from "node:crypto";
import type { PairAnswer, PairCall } from "../../contract/link/rpc.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { Identity } from "../identity.js";
import { readPublicKey } from "../identity.js";
import { isProof, proveInviting, proveJoining, sharedSecret } from "./pair-proofs.js";

/** Somebody who joined: what it said, and the secret that both share from now on. */
type Joined = { call: PairCall; secret: string };

export type Invitations = {
  /** A secret that works once. */
  open(): { secret: string; expiresAt: number };
  hasOpen(): boolean;
  /** Throws INVITE_INVALID. `store` is run once for each invitation that is used, before the other side is told. */
  accept(call: PairCall, store: (joined: Joined) => Promise<void>): Promise<PairAnswer>;
};

type Invitation = {
  secret: string;
  until: number;
  /** The answer may be lost on its way: whoever used it may ask for the very same again. */
  used?: { proof: string; answer: Promise<PairAnswer> };
};

export const INVITATION_MS = 10 * 60_000;
const MOST = 8;

export function createInvitations(identity: Identity, self: { name: string }, clock: Clock): Invitations {
  let invitations: Invitation[] = [];

  function valid(): Invitation[] {
    const now = clock.monotonic();
    invitations = invitations.filter(({ until }) => until > now);
    return invitations;
  }

  /**
   * All are compared, each in constant time. Nobody guesses 128 bits in ten minutes, so a wrong try ends none of them: else
   * anybody on the network could keep two hubs from being paired. The listener slows the address down that tries.
   */
  function find(call: PairCall): Invitation {
    const open = valid();
    const [found] = open.filter(({ secret }) => isProof(call.proof, proveJoining(secret, identity.id, call)));
    const isAnothers = found?.used !== undefined && found.used.proof !== call.proof;
    if (found !== undefined && !isAnothers && readPublicKey(call.key) !== undefined) return found;
    throw new HubError(
      "INVITE_INVALID",
      "This invitation was used, is too old or was never made here. Make a new one: huddle peers invite",
    );
  }

  async function use({ secret }: Invitation, call: PairCall, store: (joined: Joined) => Promise<void>) {
    const nonce = randomBytes(16).toString("base64url");
    const said = { ok: true as const, name: self.name, key: identity.publicKey, nonce };
    await store({ call, secret: sharedSecret(secret, call.nonce, nonce) });
    return { ...said, proof: proveInviting(secret, call, said) };
  }

  return {
    open() {
      const secret = randomBytes(16).toString("base64url");
      const kept = valid().slice(1 - MOST);
      invitations = [...kept, { secret, until: clock.monotonic() + INVITATION_MS }];
      return { secret, expiresAt: clock.wall() + INVITATION_MS };
    },
    hasOpen: () => valid().length > 0,
    async accept(call, store) {
      const invitation = find(call);
      if (invitation.used !== undefined) return invitation.used.answer;
      const answer = use(invitation, call, store);
      invitation.used = { proof: call.proof, answer };
      // Nothing was stored: it is as good as before.
      answer.catch(() => delete invitation.used);
      return answer;
    },
  };
}
