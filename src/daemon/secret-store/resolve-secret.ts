import { assertNever } from "../../model/assert-never.js";
import { HubError } from "../../model/errors.js";
import { readEnvironment } from "./env-store.js";
import { readSecretFile } from "./file-store.js";
import { type Keychain, openKeychain, readKeychain } from "./keychain-store.js";
import { secretProblem } from "./secret-problem.js";
import { parseReference, type SecretReference } from "./secret-reference.js";

/** Where references lead. `keychain` is opened only for one that names it. */
export type SecretPlaces = {
  configFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  keychain?: () => Promise<Keychain>;
};

/** Fewer bytes can be guessed. */
const FEWEST = 16;
const MOST = 4096;

/** The secret that a reference leads to. What is wrong is said in one sentence, with the command that fixes it. */
export async function resolveSecret(text: string, places: SecretPlaces): Promise<string> {
  const reference = parseReference(text);
  // It may be the secret itself, written in the wrong place: it is not repeated.
  if (reference === undefined) throw new Error("a reference to a secret was not checked when it was read");
  const secret = (await read(reference, places)).replace(/\r?\n$/, "");
  const wrong = checkSecret(secret);
  if (wrong !== undefined)
    throw secretProblem(reference, `${wrong}. Make another: ${remakeCommand(reference)}`);
  return secret;
}

function read(reference: SecretReference, places: SecretPlaces): Promise<string> | string {
  switch (reference.store) {
    case "keychain":
      return readKeychain(reference, places.keychain ?? openKeychain);
    case "env":
      return readEnvironment(reference, places.env);
    case "file":
      return readSecretFile(reference, places.configFolder);
    default:
      return assertNever(reference.store);
  }
}

/** What is wrong with a secret, if it cannot be one; it goes into a header of HTTP. */
export function checkSecret(secret: string): string | undefined {
  const bytes = Buffer.byteLength(secret);
  if (bytes === 0) return "is empty";
  if (bytes < FEWEST) return `has ${bytes} bytes, and needs at least ${FEWEST}`;
  if (bytes > MOST) return `has more than ${MOST} bytes`;
  return /^[\x21-\x7e]+$/.test(secret)
    ? undefined
    : "holds a space, a line break or a letter that is not ASCII, which no HTTP header can carry";
}

function remakeCommand(reference: SecretReference): string {
  if (reference.store === "env") return `export ${reference.name}="$(openssl rand -hex 32)"`;
  const name = reference.store === "file" ? (reference.name.split("/").at(-1) ?? "") : reference.name;
  return `huddle secret set ${name} --store ${reference.store} --generate`;
}

/** What is wrong with it, for a list; undefined if it can be used. */
export async function secretTrouble(text: string, places: SecretPlaces): Promise<string | undefined> {
  try {
    await resolveSecret(text, places);
    return undefined;
  } catch (error) {
    return error instanceof HubError ? error.message : `The secret ${text} cannot be read`;
  }
}
