// A usage limit that is over after a while, as a vendor's service would keep it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const file = () => join(process.env["SCRIPTED_HOME"] ?? homedir(), ".limit");

/**
 * The first call begins it. With a path it holds until that file is there, and its end is not told.
 * @param {string} until  seconds, or a path
 * @returns {string | undefined} what is said while it holds
 */
export function limitWords(until) {
  if (until.startsWith("/")) return existsSync(until) ? undefined : "You've hit your limit";
  const reset = existsSync(file())
    ? Number(readFileSync(file(), "utf8"))
    : Math.ceil(Date.now() / 1000) + Number(until);
  writeFileSync(file(), String(reset));
  return Date.now() < reset * 1000 ? `You've hit your limit|${reset}` : undefined;
}
