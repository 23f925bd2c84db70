import type { PermissionPolicy } from "../../backend.js";
import { createLimitReader } from "../read-limit.js";
import { bridgeOf, serverName, type Vendor } from "../vendor.js";
import { connection, settingsOfServer } from "./connection.js";
import { findCodexSession } from "./find-session.js";
import { headlessForm } from "./headless.js";
import { screenRule } from "./screen.js";

export const codex: Vendor = {
  vendor: "codex",
  headless: headlessForm,
  screen: screenRule,
  command: "codex",
  acp: { program: ["codex-acp"], install: "npm i -g @agentclientprotocol/codex-acp" },
  install: `Install it with: ${connection.install}`,
  passEnv: ["CODEX_*", "OPENAI_*", "NO_BROWSER"],
  lostSession: /no (rollout|saved session) found|(thread|session|conversation)[^\n]* not found/i,
  readLimit: createLimitReader(
    /You['’]ve hit your usage limit/i,
    /Your workspace is out of credits|Quota exceeded\. Check your plan/i,
  ),
  findSession: async ({ openFiles }) => findCodexSession(await openFiles()),
  wire(launch) {
    const { command, args } = bridgeOf(launch);
    const settings = Object.entries({ command, args, ...settingsOfServer });
    return {
      args: settings.flatMap(([key, value]) => ["-c", `mcp_servers.${serverName}.${key}=${toToml(value)}`]),
    };
  },
  acpWire(launch) {
    const { command, args } = bridgeOf(launch);
    const config = { mcp_servers: { [serverName]: { command, args, ...settingsOfServer } } };
    const env = {
      CODEX_CONFIG: JSON.stringify(config),
      INITIAL_AGENT_MODE: modes[launch.backend.permissions],
    };
    return { servers: [], env };
  },
  tui: ({ model, resume, policy }) => [
    ...(resume === undefined ? [] : ["resume", resume]),
    ...(model === undefined ? [] : ["--model", model]),
    ...(policy === "allow-all" ? ["--dangerously-bypass-approvals-and-sandbox"] : []),
    ...(policy === "deny" ? ["--sandbox", "read-only", "--ask-for-approval", "never"] : []),
  ],
};

/** In its own default mode it would write in the project without asking. */
const modes: Readonly<Record<PermissionPolicy, string>> = {
  ask: "read-only",
  "allow-reads": "read-only",
  deny: "read-only",
  "allow-all": "agent-full-access",
};

/** A JSON string is a TOML string but for a few control characters, which no argument of ours has. */
function toToml(value: unknown): string {
  return JSON.stringify(value);
}
