import { createHash } from "node:crypto";
import type { nkeys } from "@nats-io/transport-node";
import { type FabricRole, permissionsOf } from "./hub-permissions.js";

/* NATS' JWTs, version 2: who may do what, signed by a chain of keys from the operator's down. */

type KeyPair = ReturnType<typeof nkeys.createUser>;

export function operatorJwt(operator: KeyPair, name: string, now: number): string {
  return sign(operator, { sub: operator.getPublicKey(), name, now, nats: { type: "operator" } });
}

type Account = {
  account: string;
  name: string;
  /** Of each role, the key that signs its users. They can sign nothing beyond its permissions. */
  signers?: Readonly<Record<FabricRole, string>>;
  /** Connection keys that are let in no more, with the time in seconds up to which their JWTs are void. */
  revoked?: Readonly<Record<string, number>>;
};

const NO_LIMITS = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
};
const STORAGE = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

export function accountJwt(
  operator: KeyPair,
  { account, name, signers, revoked = {} }: Account,
  now: number,
): string {
  const scopes = Object.entries(signers ?? {}).map(([role, key]) => ({
    kind: "user_scope",
    key,
    role,
    template: permissionsOf(role === "steward" ? "steward" : "hub"),
  }));
  return sign(operator, {
    sub: account,
    name,
    now,
    nats: {
      type: "account",
      limits: signers === undefined ? NO_LIMITS : { ...NO_LIMITS, ...STORAGE },
      ...(scopes.length === 0 ? {} : { signing_keys: scopes }),
      ...(Object.keys(revoked).length === 0 ? {} : { revocations: revoked }),
      default_permissions: { pub: {}, sub: {} },
    },
  });
}

type User = { user: string; account: string; name: string; expiresAt: number };

/** Its permissions are those of the key that signs it. Times are in milliseconds. */
export function userJwt(signer: KeyPair, { user, account, name, expiresAt }: User, now: number): string {
  const nats = { type: "user", issuer_account: account };
  return sign(signer, { sub: user, name, now, exp: Math.floor(expiresAt / 1000), nats });
}

type Claims = { sub: string; name: string; now: number; exp?: number; nats: Record<string, unknown> };

function sign(issuer: KeyPair, { sub, name, now, exp, nats }: Claims): string {
  const claims = {
    iat: Math.floor(now / 1000),
    iss: issuer.getPublicKey(),
    name,
    sub,
    ...(exp === undefined ? {} : { exp }),
    nats: { ...nats, version: 2 },
  };
  const jti = createHash("sha256").update(JSON.stringify(claims)).digest("hex");
  const text = `${encode({ typ: "JWT", alg: "ed25519-nkey" })}.${encode({ jti, ...claims })}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString("base64url")}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
