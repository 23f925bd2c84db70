import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { HubError } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";
import { makeFolder } from "./make-folder.js";

const identityFile = z.object({ url: z.string(), name: z.string(), token: z.string() });
type IdentityFile = z.output<typeof identityFile>;

/** Whose an identity file is, or undefined without one. It holds a token: only its owner may read it. */
export function readIdentityFile(file: string): IdentityFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (reason === "ENOENT") return undefined;
    throw unusable(file, `cannot be read (${reason})`, error);
  }
  const { data } = identityFile.safeParse(parseJson(text));
  if (data === undefined) throw unusable(file, "is not an identity file. Make one: huddle identity NAME");
  // Windows has no such permission bits.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    throw unusable(file, `can be read by other users. Close it: chmod 600 ${file}`);
  }
  return data;
}

function unusable(file: string, problem: string, cause?: unknown): HubError {
  return new HubError("FILE_UNUSABLE", `${file} ${problem}`, { file }, { cause });
}

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
