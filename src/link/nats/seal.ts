import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type SealHead, sealHead } from "../../contract/link/fabric.js";
import type { HubId } from "../../model/link.js";
import { fingerprintOf, type Identity, isSignedBy, readPublicKey } from "../identity.js";
import { createBoxKeys } from "./box-keys.js";

/*
 * What goes over the fabric is closed to whoever runs it: a line that says who it is from, whom for and what it is, then a nonce
 * and the encrypted rest. The line is part of what the encryption protects, so nothing can be sent on as something else, to somebody
 * else, or back to its sender. Permissions of the server help, and nothing here relies on them.
 */
export type Sealer = {
  /** The public part of the key that others encrypt to, and this hub's signature under it. */
  own: { box: string; cert: string };
  seal(kind: SealKind, dest: { id: HubId; box: string }, text: string): Buffer;
  /** `origin`: who it must be from. */
  open(kind: SealKind, origin: HubId, payload: Uint8Array): Opened;
  /** What this hub itself sealed to another. */
  openOwn(kind: SealKind, dest: { id: HubId; box: string }, payload: Uint8Array): Buffer | undefined;
  /** Whether that hub's identity key stands behind the key that is encrypted to. */
  isCertified(hub: HubId, shown: Pick<SealHead, "key" | "box" | "cert">): boolean;
};

type SealKind = SealHead["kind"];

/** `garbage`: nobody meant anything by it. `forged`: it is not from whom it should be, or not for this hub. */
export type Opened =
  | { kind: "opened"; content: Buffer; sender: { id: HubId; key: string; box: string } }
  | { kind: "garbage" }
  | { kind: "forged"; why: string };

const HEAD_BYTES = 1024;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NEWLINE = 10;
const KEPT = 2000;

export function createSealer(identity: Identity): Sealer {
  const keys = createBoxKeys(identity);
  const cert = identity.sign(certText(identity.id, keys.own));
  const certified = new LRUCache<string, true>({ max: KEPT });
  // Of a kind, the line is the same between two hubs each time: it is written, and read and checked, once.
  const written = new LRUCache<string, { line: Buffer; key: Buffer }>({ max: KEPT });
  const proven = new LRUCache<string, { head: SealHead; key: Buffer }>({ max: KEPT });

  function isCertified(hub: HubId, { key, box, cert: shown }: Pick<SealHead, "key" | "box" | "cert">) {
    const name = `${hub} ${box} ${shown}`;
    if (certified.has(name)) return true;
    const identityKey = fingerprintOf(key) === hub ? readPublicKey(key) : undefined;
    if (identityKey === undefined || !isSignedBy(identityKey, certText(hub, box), shown)) return false;
    certified.set(name, true);
    return true;
  }

  function openFrom(kind: SealKind, origin: HubId, payload: Uint8Array): Opened {
    const parts = readParts(payload);
    if (parts === undefined) return { kind: "garbage" };
    const line = parts.line.toString("latin1");
    const before = proven.get(line);
    const head = before?.head ?? readHead(parts.line);
    if (head?.kind !== kind) return { kind: "garbage" };
    if (head.origin !== origin || (before === undefined && !isCertified(origin, head)))
      return { kind: "forged", why: "did not sign with the key that is known" };
    if (head.dest !== identity.id) return { kind: "forged", why: "sent what is meant for another hub" };
    const key = before?.key ?? keys.keyFor(head.box, head);
    const content = decrypt(key, parts);
    if (key === undefined || content === undefined)
      return { kind: "forged", why: "encrypted with another key than its own" };
    if (before === undefined) proven.set(line, { head, key });
    return { kind: "opened", content, sender: { id: origin, key: head.key, box: head.box } };
  }

  function writeHead(kind: SealKind, dest: { id: HubId; box: string }) {
    const direction = { origin: identity.id, dest: dest.id };
    const head = { v: 1, kind, ...direction, key: identity.publicKey, box: keys.own, cert };
    const key = keys.keyFor(dest.box, direction);
    if (key === undefined) throw new Error(`${dest.id} has no key to encrypt to`);
    return { line: Buffer.from(`${JSON.stringify(head)}\n`), key };
  }

  return {
    own: { box: keys.own, cert },
    isCertified,
    seal(kind, dest, text) {
      const name = `${kind} ${dest.id} ${dest.box}`;
      const way = written.get(name) ?? writeHead(kind, dest);
      written.set(name, way);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", way.key, nonce).setAAD(way.line);
      const closed = cipher.update(text, "utf8");
      cipher.final();
      return Buffer.concat([way.line, nonce, closed, cipher.getAuthTag()]);
    },
    open: openFrom,
    openOwn(kind, dest, payload) {
      const parts = readParts(payload);
      if (parts === undefined || readHead(parts.line)?.kind !== kind) return undefined;
      return decrypt(keys.keyFor(dest.box, { origin: identity.id, dest: dest.id }), parts);
    },
  };
}

type Parts = { line: Buffer; closed: Buffer };

function readParts(payload: Uint8Array): Parts | undefined {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const end = bytes.subarray(0, HEAD_BYTES).indexOf(NEWLINE);
  if (end === -1 || bytes.length < end + 1 + NONCE_BYTES + TAG_BYTES) return undefined;
  return { line: bytes.subarray(0, end + 1), closed: bytes.subarray(end + 1) };
}

function readHead(line: Buffer): SealHead | undefined {
  try {
    return sealHead.safeParse(JSON.parse(line.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

function decrypt(key: Buffer | undefined, { line, closed }: Parts): Buffer | undefined {
  if (key === undefined) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, closed.subarray(0, NONCE_BYTES)).setAAD(line);
    decipher.setAuthTag(closed.subarray(-TAG_BYTES));
    const open = decipher.update(closed.subarray(NONCE_BYTES, -TAG_BYTES));
    // Brings nothing more in this mode: it throws where something was changed.
    decipher.final();
    return open;
  } catch {
    return undefined;
  }
}

function certText(hub: HubId, box: string): string {
  return `huddle fabric box\n${JSON.stringify([1, hub, box])}`;
}
