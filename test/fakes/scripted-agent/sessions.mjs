// A scripted agent keeps the prompts of its sessions in files, as CLIs do, so that they can be resumed.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const folder = () => join(process.env["SCRIPTED_HOME"] ?? join(homedir(), ".scripted"));
const file = (/** @type {string} */ id) => join(folder(), `${id}.json`);

/** @typedef {{ id: string, prompts: string[] }} Session */

/** @returns {Session} */
export function beginSession(id = /** @type {string} */ (randomUUID())) {
  const session = { id, prompts: [] };
  keepSession(session);
  return session;
}

/** @param {string} id @returns {Session | undefined} */
export function loadSession(id) {
  return existsSync(file(id)) ? JSON.parse(readFileSync(file(id), "utf8")) : undefined;
}

/** @param {Session} session */
export function keepSession(session) {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(file(session.id), JSON.stringify(session));
}
