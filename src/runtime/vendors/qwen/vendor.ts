import { join } from "node:path";
import type { Launch } from "../../runtime.js";
import { approvalMode } from "../approval-mode.js";
import { createLimitReader } from "../read-limit.js";
import { bridgeOf, serverName, type Vendor, type Wiring } from "../vendor.js";
import { connection } from "./connection.js";
import { headlessForm } from "./headless.js";
import { screenRule } from "./screen.js";

export const qwen: Vendor = {
  vendor: "qwen",
  headless: headlessForm,
  screen: screenRule,
  command: "qwen",
  acp: { args: ["--acp"] },
  install: `Install it with: ${connection.install}`,
  passEnv: ["QWEN_*", "OPENAI_*", "DASHSCOPE_*"],
  newSession: "--session-id",
  lostSession: /No saved session found|session .*not found/i,
  readLimit: createLimitReader(
    /Quota exhausted:|(?:OAuth|allocated) quota exceeded/i,
    /exceeded the [\w-]+ usage quota|exceeded your current quota/i,
  ),
  wire,
  // In its own default mode a model decides which calls need asking.
  acpWire: (launch) => ({
    ...wire(launch),
    args: [...instruct(launch), "--approval-mode", "default"],
    servers: [],
  }),
  tui: ({ model, resume, policy }) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(resume === undefined ? [] : ["--resume", resume]),
    "--approval-mode",
    approvalMode(policy),
  ],
};

/**
 * It asks its model what the person may want to say next, and from then on 0.24.4 keeps nothing of the session, so that it could not be taken
 * up again. What the person has set themselves holds all the same.
 */
const noSuggestions = { enableFollowupSuggestions: false };

function wire(launch: Launch): Wiring {
  const path = join(launch.folder, "qwen-defaults.json");
  const { command, args } = bridgeOf(launch);
  // Otherwise it hides the tools behind a search.
  const server = { command, args, trust: true, alwaysLoadTools: true };
  return {
    args: instruct(launch),
    // Over ACP its first turn would otherwise run before the tools are there.
    env: { QWEN_CODE_SYSTEM_DEFAULTS_PATH: path, QWEN_CODE_LEGACY_MCP_BLOCKING: "1" },
    files: [{ path, text: JSON.stringify({ mcpServers: { [serverName]: server }, ui: noSuggestions }) }],
  };
}

/** It drops what a server of MCP says of itself. */
function instruct({ instructions }: Launch): string[] {
  return instructions === undefined ? [] : ["--append-system-prompt", instructions];
}
