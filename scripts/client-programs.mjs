// The agent CLIs and ACP adapters that the client tests drive: which version, and where the program is once installed.
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * @typedef {object} ClientProgram
 * @property {string} name the folder it lives in
 * @property {string} package
 * @property {string} version
 * @property {string} bin the program's name in node_modules/.bin
 * @property {number} megabytes once installed
 * @property {boolean} optional installed only when named
 */

/** @type {readonly ClientProgram[]} */
export const clientPrograms = [
  client("claude", "@anthropic-ai/claude-code", "2.1.325", "claude", 350),
  client("codex", "@openai/codex", "0.166.0", "codex", 436),
  client("gemini", "@google/gemini-cli", "0.61.0", "gemini", 98),
  client("qwen", "@qwen-code/qwen-code", "0.24.4", "qwen", 144),
  client("droid", "droid", "0.215.0", "droid", 294),
  // 0.99 and later need Node 22.
  client("claude-acp", "@agentclientprotocol/claude-agent-acp", "0.49.0", "claude-agent-acp", 300),
  client("codex-acp", "@agentclientprotocol/codex-acp", "2.6.0", "codex-acp", 450),
  client("opencode", "opencode-ai", "1.18.33", "opencode", 354),
  client("copilot", "@github/copilot", "1.0.102", "copilot", 190),
];

/** @param {string} name @param {string} npmPackage @param {string} version @param {string} bin @param {number} megabytes @returns {ClientProgram} */
function client(name, npmPackage, version, bin, megabytes) {
  return { name, package: npmPackage, version, bin, megabytes, optional: false };
}

export function clientsFolder() {
  return resolve(process.env["HUDDLE_CLIENTS_DIR"] ?? join(homedir(), ".cache", "huddle-clients"));
}

/** @param {ClientProgram} program */
export function programPath({ name, bin }) {
  return join(clientsFolder(), name, "node_modules", ".bin", bin);
}
