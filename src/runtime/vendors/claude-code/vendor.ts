import { join } from "node:path";
import { createLimitReader } from "../read-limit.js";
import { bridgeOf, serverName, type Vendor } from "../vendor.js";
import { connection } from "./connection.js";
import { headlessForm } from "./headless.js";
import { screenRule } from "./screen.js";

export const claudeCode: Vendor = {
  vendor: "claude-code",
  headless: headlessForm,
  screen: screenRule,
  command: "claude",
  // Versions from 0.99 on need Node 22. The adapter brings a CLI of its own.
  acp: { program: ["claude-agent-acp"], install: "npm i -g @agentclientprotocol/claude-agent-acp" },
  install: `Install it with: ${connection.install}`,
  passEnv: ["ANTHROPIC_*", "CLAUDE_*", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "MAX_THINKING_TOKENS"],
  newSession: "--session-id",
  lostSession: /No conversation found/i,
  readLimit: createLimitReader(
    /You['’]ve hit your (?:[\w-]+ )*limit\b/i,
    /(?:Claude AI )?usage limit reached/i,
  ),
  wire(launch) {
    const path = join(launch.folder, "claude-mcp.json");
    const { command, args } = bridgeOf(launch);
    // Otherwise it hides the tools behind a search.
    const server = { type: "stdio", command, args, alwaysLoad: true };
    return {
      args: ["--mcp-config", path, "--allowedTools", `mcp__${serverName}`],
      files: [{ path, text: JSON.stringify({ mcpServers: { [serverName]: server } }) }],
    };
  },
  acpWire(launch) {
    const { command, args } = bridgeOf(launch);
    const mcpServers = { [serverName]: { type: "stdio", command, args, alwaysLoad: true } };
    // The adapter drops `alwaysLoad` from servers that come the ordinary way.
    return {
      servers: [],
      meta: { claudeCode: { options: { mcpServers, allowedTools: [`mcp__${serverName}`] } } },
    };
  },
  tui: ({ model, resume, policy }) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(resume === undefined ? [] : ["--resume", resume]),
    "--permission-mode",
    policy === "allow-all" ? "bypassPermissions" : policy === "deny" ? "dontAsk" : "default",
  ],
};
