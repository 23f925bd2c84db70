import { join } from "node:path";
import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { createTestClock } from "../../../test/fakes/test-clock.js";
import type { PairCall } from "../../contract/link/rpc.js";
import { ensureIdentity } from "../identity.js";
import { createInvitations } from "./invitations.js";
import { isProof, proveInviting, proveJoining, sharedSecret } from "./pair-proofs.js";

function lab() {
  const inviter = ensureIdentity(join(tempFolder(), "inviter.key"));
  const joiner = ensureIdentity(join(tempFolder(), "joiner.key"));
  const invitations = createInvitations(inviter, { name: "bmo" }, createTestClock());
  const callWith = (secret: string, nonce = "n".repeat(22)): PairCall => {
    const said = { v: 1, kind: "pair", from: "r2d2", key: joiner.publicKey, port: 3847, nonce } as const;
    return { ...said, proof: proveJoining(secret, inviter.id, said) };
  };
  const stored: string[] = [];
  const store = async ({ secret }: { secret: string }) => void stored.push(secret);
  return { invitations, callWith, stored, store };
}

test("both sides prove themselves, and come to the same secret", async () => {
  const { invitations, callWith, stored, store } = lab();
  const { secret } = invitations.open();
  const call = callWith(secret);

  const answer = await invitations.accept(call, store);

  expect(isProof(answer.proof, proveInviting(secret, call, answer))).toBe(true);
  expect(stored).toEqual([sharedSecret(secret, call.nonce, answer.nonce)]);
});

test("whoever lost the answer may ask for it again; nobody else may, and nothing is stored twice", async () => {
  const { invitations, callWith, stored, store } = lab();
  const { secret } = invitations.open();
  const first = await invitations.accept(callWith(secret), store);

  expect(await invitations.accept(callWith(secret), store)).toEqual(first);
  const other = invitations.accept(callWith(secret, "m".repeat(22)), store);
  expect(await refusal(other)).toMatchObject({ code: "INVITE_INVALID" });
  expect(stored).toHaveLength(1);
});

test("an invitation is not used up by a hub that could not store the peer", async () => {
  const { invitations, callWith, store } = lab();
  const { secret } = invitations.open();
  const failed = invitations.accept(callWith(secret), () => Promise.reject(new Error("the disk is full")));
  await expect(failed).rejects.toThrow("the disk is full");

  expect(await invitations.accept(callWith(secret, "m".repeat(22)), store)).toMatchObject({ ok: true });
});

test.each([
  ["from", "vader"],
  ["port", 1],
  ["host", "10.0.0.66"],
  ["nonce", "x".repeat(22)],
])("a call whose %s somebody changed on the way is refused", async (field, value) => {
  const { invitations, callWith, stored, store } = lab();
  const { secret } = invitations.open();
  const changed = invitations.accept({ ...callWith(secret), [field]: value }, store);
  expect(await refusal(changed)).toMatchObject({ code: "INVITE_INVALID" });
  expect(stored).toEqual([]);
});
