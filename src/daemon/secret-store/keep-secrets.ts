import { randomBytes } from "node:crypto";
import { HubError } from "../../model/errors.js";
import { fileReference, listSecretFiles, removeSecretFile, writeSecretFile } from "./file-store.js";
import { type Keychain, noKeychain, openKeychain, whyNoKeychain } from "./keychain-store.js";
import { checkSecret, type SecretPlaces, secretTrouble } from "./resolve-secret.js";
import { SECRET_NAME, type SecretReference, writeReference } from "./secret-reference.js";

/** Where `huddle secret` can put one. */
type KeepingStore = "keychain" | "file";

/** A reference in the configuration, and the key that has it. */
type UsedReference = { key: string; reference: string };

type KeptSecret = {
  name: string;
  store: string;
  reference: string;
  /** The keys of the configuration that lead to it. */
  usedBy: string[];
  /** Why it cannot be used; absent if it can. */
  problem?: string;
};

/** Stores a secret, made here where none is given. Without a store it goes to the keychain, and where none answers into a file. */
export async function setSecret(
  { name, value, store }: { name: string; value: string | undefined; store: KeepingStore | undefined },
  places: SecretPlaces,
): Promise<{ reference: string; store: KeepingStore; noKeychain?: string }> {
  checkName(name);
  const secret = value ?? randomBytes(32).toString("base64url");
  const wrong = checkSecret(secret);
  if (wrong !== undefined)
    throw new HubError(
      "SECRET_UNUSABLE",
      `The secret ${name} ${wrong}. Nothing was stored; --generate makes a good one`,
    );
  const open = places.keychain ?? openKeychain;
  const missing = store === undefined ? await whyNoKeychain(open) : undefined;
  if (store === "file" || missing !== undefined) {
    writeSecretFile(name, secret, places.configFolder);
    const reference = writeReference(fileReference(name));
    return { reference, store: "file", ...(missing === undefined ? {} : { noKeychain: missing }) };
  }
  const reference: SecretReference = { store: "keychain", name };
  await asking(reference, open, (keychain) => keychain.set(name, secret));
  return { reference: writeReference(reference), store: "keychain" };
}

/** Removes a secret from whichever stores have it, and says from which. */
export async function removeSecret(name: string, places: SecretPlaces): Promise<KeepingStore[]> {
  checkName(name);
  const open = places.keychain ?? openKeychain;
  const reference: SecretReference = { store: "keychain", name };
  const fromFile = removeSecretFile(name, places.configFolder);
  const hasKeychain = (await whyNoKeychain(open)) === undefined;
  const fromKeychain = hasKeychain && (await asking(reference, open, (keychain) => keychain.remove(name)));
  if (!fromFile && !fromKeychain)
    throw new HubError("SECRET_UNUSABLE", `No store has a secret "${name}". See: huddle secret list`, {
      name,
    });
  return [...(fromKeychain ? (["keychain"] as const) : []), ...(fromFile ? (["file"] as const) : [])];
}

/** Every secret that a store has or the configuration names, never its value. `noKeychain`: why those of the keychain are missing. */
export async function listSecrets(
  used: readonly UsedReference[],
  places: SecretPlaces,
): Promise<{ secrets: KeptSecret[]; noKeychain?: string }> {
  const open = places.keychain ?? openKeychain;
  const missing = await whyNoKeychain(open);
  const inKeychain = missing === undefined ? await (await open()).names() : [];
  const references = [
    ...inKeychain.map((name) => writeReference({ store: "keychain", name })),
    ...listSecretFiles(places.configFolder).map((name) => writeReference(fileReference(name))),
    ...used.map(({ reference }) => reference),
  ];
  const secrets = await Promise.all(
    [...new Set(references)].map((reference) => describe(reference, used, places)),
  );
  return { secrets, ...(missing === undefined ? {} : { noKeychain: missing }) };
}

async function describe(
  reference: string,
  used: readonly UsedReference[],
  places: SecretPlaces,
): Promise<KeptSecret> {
  const problem = await secretTrouble(reference, places);
  const colon = reference.indexOf(":");
  const name = reference.slice(colon + 1);
  return {
    name: name.split("/").at(-1) ?? name,
    store: reference.slice(0, colon),
    reference,
    usedBy: used.filter((use) => use.reference === reference).map(({ key }) => key),
    ...(problem === undefined ? {} : { problem }),
  };
}

async function asking<T>(
  reference: SecretReference,
  open: () => Promise<Keychain>,
  ask: (keychain: Keychain) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await open());
  } catch (error) {
    throw noKeychain(reference, error);
  }
}

function checkName(name: string): void {
  if (SECRET_NAME.test(name)) return;
  throw new HubError(
    "SECRET_UNUSABLE",
    `A secret's name has 1 to 128 of A-Z, a-z, 0-9, ".", "_" and "-", and begins with a letter or digit`,
  );
}
