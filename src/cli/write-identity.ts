import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../client/make-folder.js";
import { HubError } from "../model/errors.js";

type IdentityFile = { url: string; name: string; token: string };

/** A new file that only this user can read. It never replaces one: that may be the only copy of a token. */
export function writeIdentity(file: string, identity: IdentityFile): void {
  try {
    makeFolder(dirname(file));
    const handle = openSync(file, "wx", 0o600);
    try {
      writeSync(handle, `${JSON.stringify(identity)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new HubError(
      reason === "EEXIST" ? "FILE_EXISTS" : "FILE_UNUSABLE",
      `${file} cannot be written (${reason})`,
      { file, hint: "Choose another file with --out." },
      { cause: error },
    );
  }
}
