import { statSync } from "node:fs";
import { Refused } from "./failures.js";
import { readJson } from "./json.js";

/** Whose an identity file is: {url, name, token}, for its owner alone. Throws Refused. */
export function readIdentity(file: string): { name: string; token: string } {
  const { name, token } = readJson(file) ?? {};
  if (typeof name !== "string" || typeof token !== "string") {
    throw unusable(file, "is not an identity file. Make one: huddle identity NAME");
  }
  // Windows has no such permission bits.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    throw unusable(file, `can be read by other users. Close it: chmod 600 ${file}`);
  }
  return { name, token };
}

function unusable(file: string, problem: string): Refused {
  return new Refused({ error: `${file} ${problem}`, code: "FILE_UNUSABLE", file });
}
