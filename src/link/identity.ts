import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { fingerprintOf } from "../fabric/fingerprint.js";
import { HubError } from "../model/errors.js";
import type { HubId } from "../model/link.js";
import { ensureKeyFile } from "./key-file.js";

export { fingerprintOf };

/** Who this hub is to others: a key of its own, by whose fingerprint they know it. */
export type Identity = {
  id: HubId;
  /** SPKI in base64. */
  publicKey: string;
  /** Ed25519, in base64. */
  sign(text: string): string;
  /** 32 bytes for another purpose, which nobody can know without this key. */
  derive(purpose: string): Buffer;
};

/** The identity that lies in a file; made on first use. Two hubs with one such file would pass for each other. */
export function ensureIdentity(file: string): Identity {
  const pem = ensureKeyFile(file, () =>
    generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );
  return identityOf(readPrivateKey(pem, file));
}

function identityOf(key: KeyObject): Identity {
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
  return {
    id: fingerprintOf(publicKey),
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64"),
    derive: (purpose) => Buffer.from(hkdfSync("sha256", seedOf(key), "", purpose, 32)),
  };
}

function seedOf(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: "jwk" }).d ?? "", "base64url");
}

function readPrivateKey(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below, without a word of what the file holds.
  }
  throw new HubError(
    "DATA_UNUSABLE",
    `${file} does not hold this hub's key. Restore it from a backup; without it, peers must be paired again: rm ${file}`,
    { file },
  );
}

/** Undefined for what is no Ed25519 key, written in the one way that it is written. */
export function readPublicKey(publicKey: string): KeyObject | undefined {
  try {
    const der = Buffer.from(publicKey, "base64");
    const key = createPublicKey({ key: der, type: "spki", format: "der" });
    return key.asymmetricKeyType === "ed25519" && der.toString("base64") === publicKey ? key : undefined;
  } catch {
    return undefined;
  }
}

export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
}
