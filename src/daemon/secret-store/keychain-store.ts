import { errorCode } from "../../client/storage-advice.js";
import { secretProblem } from "./secret-problem.js";
import type { SecretReference } from "./secret-reference.js";

/** All of Huddle's are items of this service, each under its own name as the account. */
const SERVICE = "huddle";

/** Without this, Linux falls back to the kernel's keyring, which forgets everything at the next start of the machine. */
const options = { linux: { store: "secret-service" } } as const;

/** The keychain of the system: Keychain on macOS, Credential Manager on Windows, the secret service (GNOME Keyring, KWallet) on Linux. */
export type Keychain = {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
  names(): Promise<string[]>;
};

/** Loaded on first use: it is compiled code, and a hub without a `keychain:` reference never needs it. */
export async function openKeychain(): Promise<Keychain> {
  const { AsyncEntry, findCredentialsAsync } = await import("@napi-rs/keyring");
  const entry = (name: string) => new AsyncEntry(SERVICE, name, options);
  return {
    get: async (name) => (await entry(name).getPassword()) ?? undefined,
    set: (name, value) => entry(name).setPassword(value),
    remove: (name) => entry(name).deleteCredential(),
    names: async () => (await findCredentialsAsync(SERVICE)).map(({ account }) => account).sort(),
  };
}

/** Why there is no keychain here; undefined where there is one that answers. */
export async function whyNoKeychain(open: () => Promise<Keychain>): Promise<string | undefined> {
  try {
    await (await open()).get("huddle-probe");
    return undefined;
  } catch (error) {
    return describeFailure(error);
  }
}

export async function readKeychain(
  reference: SecretReference,
  open: () => Promise<Keychain>,
): Promise<string> {
  let found: string | undefined;
  try {
    found = await (await open()).get(reference.name);
  } catch (error) {
    throw noKeychain(reference, error);
  }
  if (found !== undefined) return found;
  throw secretProblem(
    reference,
    `is not in the keychain. Put it there: huddle secret set ${reference.name} --store keychain`,
  );
}

export function noKeychain(reference: SecretReference, error: unknown): Error {
  return secretProblem(
    reference,
    `cannot be used: no keychain answers here (${describeFailure(error)}). Use a file instead: huddle secret set ${reference.name} --store file`,
    { cause: error },
  );
}

/** What the libraries say is for those who know them; the usual two are said plainly. */
function describeFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (errorCode(error) === "MODULE_NOT_FOUND" || errorCode(error) === "ERR_MODULE_NOT_FOUND")
    return "@napi-rs/keyring has no build for this system";
  if (/d-?bus/i.test(reason)) return "no secret service runs in this session";
  return reason.split("\n")[0]?.slice(0, 200) ?? "";
}
