import { claudeCode } from "./claude-code/client.js";
import { codex } from "./codex/client.js";
import { copilot } from "./copilot/client.js";
import { droid } from "./droid/client.js";
import { gemini } from "./gemini/client.js";
import { opencode } from "./opencode/client.js";
import { qwen } from "./qwen/client.js";

export const clients = [claudeCode, codex, gemini, qwen, droid, opencode, copilot] as const;

export type VendorName = (typeof clients)[number]["vendor"];
export type CliName = (typeof clients)[number]["cli"];

export const vendorNames = clients.map(({ vendor }) => vendor);
export const cliNames = clients.map(({ cli }) => cli);

/** The beginnings of the names of clients that wait long for a tool. */
export const patientClients = clients.flatMap((client) => ("patientAs" in client ? [client.patientAs] : []));

/** Whose CLI it is that names itself so as a client of MCP. */
export function findClient(name: string): (typeof clients)[number] | undefined {
  return clients.find(({ pattern }) => pattern.test(name));
}
