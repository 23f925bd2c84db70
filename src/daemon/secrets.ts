import { closeSync, constants, fstatSync, linkSync, openSync, readSync, type Stats } from "node:fs";
import { errorCode } from "../client/storage-advice.js";
import { newToken } from "../hub/rules/credentials.js";
import { HubError } from "../model/errors.js";
import { cannotUse, placePrivateFile } from "./private-file.js";

type SecretScope = "operator" | "join";

const LONGEST = 256;

/**
 * The hub's own token of a scope, made on first use. The file is the only copy, so one that others can read, or that is
 * damaged, is refused and never silently replaced. No message contains any of it.
 */
export function ensureSecret(file: string, scope: SecretScope): string {
  try {
    return readSecret(file, scope) ?? createSecret(file, scope);
  } catch (error) {
    throw cannotUse(file, error);
  }
}

/** Whether the file is there; one that cannot be used is refused. */
export function hasSecret(file: string, scope: SecretScope): boolean {
  try {
    return readSecret(file, scope) !== undefined;
  } catch (error) {
    throw cannotUse(file, error);
  }
}

function createSecret(file: string, scope: SecretScope): string {
  placePrivateFile(file, `${newToken(scope)}\n`, (fresh) => {
    try {
      // A link, unlike a rename, never replaces: of two that start at once, both read what the first one made.
      linkSync(fresh, file);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  });
  const secret = readSecret(file, scope);
  if (secret === undefined)
    throw new HubError("DATA_UNUSABLE", `${file} was removed while it was made`, { file });
  return secret;
}

function readSecret(file: string, scope: SecretScope): string | undefined {
  const handle = openIfThere(file);
  if (handle === undefined) return undefined;
  try {
    // The opened file is looked at, not the path: nobody can swap it in between.
    checkAccess(file, fstatSync(handle));
    const buffer = Buffer.alloc(LONGEST);
    const token = buffer.toString("latin1", 0, readSync(handle, buffer)).trim();
    if (new RegExp(`^hud_${scope}_[A-Za-z0-9_-]{43}$`).test(token)) return token;
    throw new HubError(
      "DATA_UNUSABLE",
      `${file} ${token === "" ? "is empty" : `does not hold the ${scope} token`}. ` +
        `Restore it, or remove it to get a new one at the next start: rm ${file}`,
      { file },
    );
  } finally {
    closeSync(handle);
  }
}

function openIfThere(file: string): number | undefined {
  try {
    // Non-blocking, or a named pipe in its place would hold the hub up forever.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function checkAccess(file: string, stats: Stats): void {
  const refuse = (problem: string) => new HubError("DATA_UNUSABLE", `${file} ${problem}`, { file });
  if (!stats.isFile()) throw refuse(`is not a file. Move it away to get a new one at the next start.`);
  // Windows has neither owners by number nor these permission bits.
  const user = process.geteuid?.();
  if (user === undefined) return;
  if (stats.uid !== user) {
    throw refuse(
      `belongs to user ${stats.uid}, and this is user ${user}. ` +
        "Run Huddle as that user, or point HUDDLE_HOME at a folder of your own.",
    );
  }
  if ((stats.mode & 0o077) !== 0) {
    throw refuse(
      `holds a secret that other users can reach (mode ${(stats.mode & 0o777).toString(8)}). ` +
        `Close it: chmod 600 ${file}`,
    );
  }
}
