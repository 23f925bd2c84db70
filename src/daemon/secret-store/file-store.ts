import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
} from "node:fs";
import { join, resolve } from "node:path";
import { errorCode } from "../../client/storage-advice.js";
import { cannotUse, placePrivateFile } from "../private-file.js";
import { secretProblem } from "./secret-problem.js";
import { SECRET_NAME, type SecretReference } from "./secret-reference.js";

/** Below the folder of the configuration: where `huddle secret set` keeps them. */
const FOLDER = "secrets";

/** One byte more than a secret may have, and its line break. */
const MOST_READ = 4098;

/** The reference to a secret that this store keeps under a name. */
export function fileReference(name: string): SecretReference {
  return { store: "file", name: `${FOLDER}/${name}` };
}

/** The opened file is looked at, not the path: nobody can swap it in between. */
export function readSecretFile(reference: SecretReference, configFolder: string): string {
  const file = resolve(configFolder, reference.name);
  let handle: number;
  try {
    // Non-blocking, or a named pipe in its place would hold the hub up forever.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === "ENOENT")
      throw secretProblem(reference, `is missing: there is no ${file}. Make it: ${remake(reference)}`);
    throw secretProblem(
      reference,
      `cannot be read (${String(errorCode(error))}). Look at it: ls -l ${file}`,
      { cause: error },
    );
  }
  try {
    checkAccess(reference, file, fstatSync(handle));
    const buffer = Buffer.alloc(MOST_READ);
    return buffer.toString("utf8", 0, readSync(handle, buffer));
  } finally {
    closeSync(handle);
  }
}

function checkAccess(reference: SecretReference, file: string, stats: Stats): void {
  if (!stats.isFile())
    throw secretProblem(
      reference,
      `is not a file. Move ${file} away, and make it anew: ${remake(reference)}`,
    );
  // Windows has neither owners by number nor these permission bits.
  const user = process.geteuid?.();
  if (user === undefined) return;
  if (stats.uid !== user)
    throw secretProblem(
      reference,
      `belongs to user ${stats.uid}, and the hub is user ${user}. Take it over: chown ${user} ${file}`,
    );
  if ((stats.mode & 0o777) !== 0o600)
    throw secretProblem(
      reference,
      `has mode ${(stats.mode & 0o777).toString(8)}, and must be for its owner alone. Close it: chmod 600 ${file}`,
    );
}

/** A secret that this store keeps is made again by its name; any other file is the person's to write. */
function remake({ name }: SecretReference): string {
  const own = name.startsWith(`${FOLDER}/`) ? name.slice(FOLDER.length + 1) : "";
  return SECRET_NAME.test(own)
    ? `huddle secret set ${own} --store file`
    : "huddle secret set NAME --store file, and write the reference that it prints into huddle.yaml";
}

/** Replaces what is there, at once. */
export function writeSecretFile(name: string, value: string, configFolder: string): void {
  const file = join(configFolder, FOLDER, name);
  try {
    placePrivateFile(file, `${value}\n`, (fresh) => renameSync(fresh, file));
  } catch (error) {
    throw cannotUse(file, error);
  }
}

/** Whether there was one. */
export function removeSecretFile(name: string, configFolder: string): boolean {
  const file = join(configFolder, FOLDER, name);
  try {
    rmSync(file);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw cannotUse(file, error);
  }
}

export function listSecretFiles(configFolder: string): string[] {
  try {
    return readdirSync(join(configFolder, FOLDER))
      .filter((name) => SECRET_NAME.test(name))
      .sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw cannotUse(join(configFolder, FOLDER), error);
  }
}
