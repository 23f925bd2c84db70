import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { HubError } from "../model/errors.js";
import { type Certified, createAuthority } from "./certificates.js";

/** Whoever has these admits hubs, and decides what each may do. They never leave the steward's folder. */
export type StewardKeys = {
  operator: KeyPair;
  account: KeyPair;
  system: KeyPair;
  /** Sign hubs in; each can give no more than the rights of its role. */
  hubs: KeyPair;
  stewards: KeyPair;
  authority: Certified;
};

type KeyPair = ReturnType<typeof nkeys.createUser>;

const makers = {
  operator: nkeys.createOperator,
  account: nkeys.createAccount,
  system: nkeys.createAccount,
  hubs: nkeys.createAccount,
  stewards: nkeys.createAccount,
} as const;

type KeyName = keyof typeof makers;

/** Only for a new fabric: a key that is there is never replaced. */
export function createStewardKeys(folder: string, name: string, now: number): StewardKeys {
  mkdirSync(join(folder, "keys"), { recursive: true, mode: 0o700 });
  for (const [key, make] of Object.entries(makers)) writeSecret(seedFile(folder, key), make().getSeed());
  const authority = createAuthority(`${name} (Huddle fabric)`, now);
  writeSecret(join(folder, "keys", "ca.key"), authority.key);
  writeFileSync(join(folder, "ca.pem"), authority.certificate);
  return readStewardKeys(folder);
}

export function readStewardKeys(folder: string): StewardKeys {
  const pair = (name: KeyName) => nkeys.fromSeed(Buffer.from(readSecret(seedFile(folder, name)).trim()));
  return {
    operator: pair("operator"),
    account: pair("account"),
    system: pair("system"),
    hubs: pair("hubs"),
    stewards: pair("stewards"),
    authority: {
      key: readSecret(join(folder, "keys", "ca.key")),
      certificate: readFileSync(join(folder, "ca.pem"), "utf8"),
    },
  };
}

const seedFile = (folder: string, name: string) => join(folder, "keys", `${name}.seed`);

function writeSecret(file: string, content: string | Uint8Array): void {
  writeFileSync(file, content, { mode: 0o600, flag: "wx" });
}

function readSecret(file: string): string {
  if (!existsSync(file)) {
    throw new HubError("FABRIC_UNUSABLE", `${file} is missing. Restore the fabric's folder from a backup`);
  }
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    throw new HubError(
      "FABRIC_UNUSABLE",
      `${file} holds a key that other users can reach (mode ${mode.toString(8)}). Close it: chmod 600 ${file}`,
    );
  return readFileSync(file, "utf8");
}
