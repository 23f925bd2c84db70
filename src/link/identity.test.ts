import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { peerAt } from "../../test/fakes/link-yard.js";
import { linkMail } from "../../test/fakes/scripted-link-hub.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { signedBatch } from "../contract/link/batch.js";
import type { Batch } from "../model/link.js";
import { ensureIdentity, fingerprintOf, isSignedBy, readPublicKey } from "./identity.js";
import { createKnownHubs } from "./known-hubs.js";
import { encodeBatch, isAckSigned, isBatchSigned, signAck } from "./sign-batch.js";

const newFile = () => join(tempFolder(), "hub.key");

test("a key is made once, for this user only, and its fingerprint is the hub's id", () => {
  const file = newFile();
  const first = ensureIdentity(file);

  expect(ensureIdentity(file)).toMatchObject({ id: first.id, publicKey: first.publicKey });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first.id).toMatch(/^[a-z2-7]{32}$/);
  expect(fingerprintOf(first.publicKey)).toBe(first.id);
  expect(ensureIdentity(newFile()).id).not.toBe(first.id);
});

test("the fingerprint is the base32 of the hash, as others would compute it", () => {
  // sha256("") = e3b0c44298fc1c149afbf4c8996fb92427ae41e4…, as `base32` of coreutils writes it.
  expect(fingerprintOf("")).toBe("4oymiquy7qobjgx36tejs35zeqt24qpe");
});

test.each([
  ["others can read it", (file: string) => chmodSync(file, 0o644), /chmod 600/],
  ["it holds something else", (file: string) => writeFileSync(file, "hello"), /does not hold this hub's key/],
  ["it is empty", (file: string) => writeFileSync(file, ""), /does not hold this hub's key/],
])("a key file is refused and left as it is when %s", (_, damage, problem) => {
  const file = newFile();
  ensureIdentity(file);
  damage(file);
  const before = readFileSync(file, "utf8");

  const refusal = refusalOf(() => ensureIdentity(file));

  expect(refusal).toMatchObject({
    code: "DATA_UNUSABLE",
    message: expect.stringMatching(problem) as unknown,
  });
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("a folder in its place is refused", () => {
  const file = newFile();
  mkdirSync(file);
  expect(refusalOf(() => ensureIdentity(file)).code).toBe("DATA_UNUSABLE");
});

test.each(["", "hello", Buffer.from("hello").toString("base64")])("%j is no public key", (text) => {
  expect(readPublicKey(text)).toBeUndefined();
});

const batch: Batch = {
  epoch: "e1",
  low: 1,
  frames: [{ n: 1, kind: "mail", mail: linkMail("hello", "m1") }],
};

test("a batch is good as it was signed, and not if anything that counts was changed", () => {
  const identity = ensureIdentity(newFile());
  const dest = "b".repeat(32);
  const signed = signedBatch.parse(JSON.parse(encodeBatch(identity, { dest, from: "bmo", batch })));
  const key = readPublicKey(identity.publicKey);
  if (key === undefined) throw new Error("the key cannot be read");

  expect(isBatchSigned(signed, key)).toBe(true);
  for (const change of [
    { origin: "c".repeat(32) },
    { dest: "c".repeat(32) },
    { epoch: "e2" },
    { low: 2 },
    { frames: [] },
    { frames: [{ n: 1, kind: "mail", mail: linkMail("hellO", "m1") } as const] },
    { sig: identity.sign("something else") },
    { sig: "" },
  ])
    expect(isBatchSigned({ ...signed, ...change }, key)).toBe(false);
});

test("an ack is good for the two hubs and the numbers that it was signed for", () => {
  const identity = ensureIdentity(newFile());
  const key = readPublicKey(identity.publicKey);
  if (key === undefined) throw new Error("the key cannot be read");
  const [origin, dest] = [identity.id, "b".repeat(32)];
  const ack = { epoch: "e1", upTo: 7, digest: "d" };
  const sig = signAck(identity, dest, ack);

  expect(isAckSigned({ origin, dest }, ack, sig, key)).toBe(true);
  expect(isAckSigned({ origin, dest: origin }, ack, sig, key)).toBe(false);
  for (const change of [{ epoch: "e2" }, { upTo: 8 }, { digest: null }, { want: 3 }])
    expect(isAckSigned({ origin, dest }, { ...ack, ...change }, sig, key)).toBe(false);
  expect(isSignedBy(key, "another text", sig)).toBe(false);
});

test("the first key of a peer is held on to, until it is a peer no more", () => {
  const known = createKnownHubs();
  const [one, other] = [ensureIdentity(newFile()), ensureIdentity(newFile())];
  const peer = peerAt("r2d2", 1);

  expect(known.of(peer)).toBeUndefined();
  expect(known.meet(peer, one.publicKey).id).toBe(one.id);
  expect(known.of(peer)?.id).toBe(one.id);
  expect(refusalOf(() => known.meet(peer, other.publicKey)).code).toBe("PEER_UNTRUSTED");

  known.keepOnly([]);
  expect(known.meet(peer, other.publicKey).id).toBe(other.id);
});

test("what is written down of a peer counts more than what was seen", () => {
  const known = createKnownHubs();
  const [one, other] = [ensureIdentity(newFile()), ensureIdentity(newFile())];
  known.meet(peerAt("r2d2", 1), one.publicKey);

  const paired = peerAt("r2d2", 1, { hubId: other.id, publicKey: other.publicKey });
  expect(known.of(paired)?.id).toBe(other.id);
  expect(refusalOf(() => known.meet(paired, one.publicKey)).code).toBe("PEER_UNTRUSTED");
  const byId = peerAt("c3po", 1, { hubId: other.id });
  expect(refusalOf(() => known.meet(byId, one.publicKey)).code).toBe("PEER_UNTRUSTED");
  expect(known.meet(byId, other.publicKey).id).toBe(other.id);
});
