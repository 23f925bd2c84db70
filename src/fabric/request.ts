import { createPublicKey, verify } from "node:crypto";
import { nkeys } from "@nats-io/transport-node";
import type { FabricRequest } from "../contract/link/fabric.js";
import { HubError } from "../model/errors.js";
import type { HubId } from "../model/link.js";
import { fingerprintOf } from "./fingerprint.js";

/** Whoever signs as this hub. */
type Hub = { id: HubId; publicKey: string; sign(text: string): string };

/** The seed of a key that only connects: a broker can have a client sign anything as a nonce, even a frame. */
export function newConnectionSeed(): string {
  return Buffer.from(nkeys.createUser().getSeed()).toString("ascii");
}

export function makeRequest(hub: Hub, name: string, seed: string): FabricRequest {
  const pair = nkeys.fromSeed(Buffer.from(seed));
  const said = { v: 1 as const, name, hub: hub.id, key: hub.publicKey, user: pair.getPublicKey() };
  const text = requestText(said);
  const userSig = Buffer.from(pair.sign(Buffer.from(text))).toString("base64");
  return { ...said, sig: hub.sign(text), userSig };
}

/** Throws unless whoever made it has both keys. */
export function checkRequest(request: FabricRequest): void {
  const text = Buffer.from(requestText(request));
  if (fingerprintOf(request.key) === request.hub && isHubs(request, text) && isUsers(request, text)) return;
  throw new HubError(
    "FABRIC_LINE_INVALID",
    "This request was not signed by the keys that it names. Ask for a new one: huddle fabric request",
  );
}

function isHubs({ key, sig }: FabricRequest, text: Buffer): boolean {
  try {
    const hub = createPublicKey({ key: Buffer.from(key, "base64"), type: "spki", format: "der" });
    return hub.asymmetricKeyType === "ed25519" && verify(null, text, hub, Buffer.from(sig, "base64"));
  } catch {
    return false;
  }
}

function isUsers({ user, userSig }: FabricRequest, text: Buffer): boolean {
  try {
    return nkeys.fromPublic(user).verify(text, Buffer.from(userSig, "base64"));
  } catch {
    return false;
  }
}

function requestText({ v, name, hub, key, user }: Omit<FabricRequest, "sig" | "userSig">): string {
  return `huddle fabric request\n${JSON.stringify([v, name, hub, key, user])}`;
}

/** The public part of a connection key. */
export function connectionKeyOf(seed: string): string {
  return nkeys.fromSeed(Buffer.from(seed)).getPublicKey();
}

/** The key that a user JWT is for; undefined for what is none. The server checks its signature. */
export function userOf(jwt: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));
    const user = typeof claims === "object" && claims !== null && "sub" in claims ? claims.sub : undefined;
    return typeof user === "string" ? user : undefined;
  } catch {
    return undefined;
  }
}
