import { chmodSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import { hasSecret } from "../secrets.js";
import type { Place } from "./place.js";

/** Folders that nobody else may write, and files that nobody else may read. */
export function checkPermissions({ paths }: Place): Finding[] {
  const folders = [...new Set([paths.data, paths.config, paths.state])];
  const secrets = [paths.token, paths.join, ...identityFiles(join(paths.data, "identities"))];
  const found = [
    ...folders.flatMap((path) => tooOpen(path, 0o022, "700", "can be written by other users")),
    ...secrets.flatMap((path) => tooOpen(path, 0o077, "600", "holds a token that other users can read")),
    ...damaged(paths.token, "operator"),
    ...damaged(paths.join, "join"),
  ];
  if (found.length > 0) return found;
  return [{ check: "permissions", state: "ok", text: "Tokens and folders are closed to other users" }];
}

function tooOpen(path: string, bits: number, mode: string, problem: string): Finding[] {
  const stats = look(path);
  const user = process.geteuid?.();
  // Windows has neither owners by number nor these permission bits.
  if (stats === undefined || user === undefined) return [];
  if (stats.uid !== user)
    return [
      {
        check: "permissions",
        state: "problem",
        text: `${path} belongs to user ${stats.uid}, and this is user ${user}`,
        fix: `sudo chown ${user} ${path}`,
      },
    ];
  if ((stats.mode & bits) === 0) return [];
  return [
    {
      check: "permissions",
      state: "problem",
      text: `${path} ${problem} (mode ${(stats.mode & 0o777).toString(8)})`,
      fix: `chmod ${mode} ${path}`,
      repair: () => chmodSync(path, Number.parseInt(mode, 8)),
    },
  ];
}

/** What is wrong with a token beyond who can read it. */
function damaged(file: string, scope: "operator" | "join"): Finding[] {
  const stats = look(file);
  if (stats === undefined || (stats.mode & 0o077) !== 0) return [];
  try {
    hasSecret(file, scope);
    return [];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return [{ check: "permissions", state: "problem", text: error.message, fix: `mv ${file} ${file}.old` }];
  }
}

function identityFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, name));
  } catch {
    return []; // There are none.
  }
}

function look(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
