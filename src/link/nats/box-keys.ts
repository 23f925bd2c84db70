import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { HubId } from "../../model/link.js";
import type { Identity } from "../identity.js";

/*
 * What hubs encrypt with. Each has an X25519 key that follows from its identity key, so there is nothing more to keep or to back up. Two
 * such keys make one secret that only these two hubs know, and of it one key for each direction.
 */
export type BoxKeys = {
  /** The public part of this hub's: SPKI in base64. */
  own: string;
  /** Undefined where `box` is no key. */
  keyFor(box: string, direction: Direction): Buffer | undefined;
};

type Direction = { origin: HubId; dest: HubId };

/** PKCS#8 of an X25519 key, up to its 32 bytes. */
const PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex");
const KEPT = 2000;

export function createBoxKeys(identity: Identity): BoxKeys {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, identity.derive("huddle fabric box")]),
    format: "der",
    type: "pkcs8",
  });
  const own = createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
  // A key exchange takes as long as a signature: each pair has one.
  const kept = new LRUCache<string, Buffer>({ max: KEPT });

  function makeKey(box: string, { origin, dest }: Direction): Buffer | undefined {
    const other = readBoxKey(box);
    if (other === undefined) return undefined;
    const secret = diffieHellman({ privateKey: key, publicKey: other });
    return Buffer.from(hkdfSync("sha256", secret, "", `huddle fabric 1\n${origin}\n${dest}`, 32));
  }

  return {
    own,
    keyFor(box, direction) {
      const name = `${box} ${direction.origin} ${direction.dest}`;
      const made = kept.get(name) ?? makeKey(box, direction);
      if (made !== undefined) kept.set(name, made);
      return made;
    },
  };
}

function readBoxKey(box: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(box, "base64"), type: "spki", format: "der" });
    return key.asymmetricKeyType === "x25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
