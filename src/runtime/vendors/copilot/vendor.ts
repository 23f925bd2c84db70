import { join } from "node:path";
import type { Launch } from "../../runtime.js";
import { createLimitReader } from "../read-limit.js";
import { bridgeOf, serverName, type Vendor, type Wiring } from "../vendor.js";
import { allowances } from "./allowances.js";
import { connection } from "./connection.js";
import { headlessForm } from "./headless.js";
import { screenRule } from "./screen.js";

export const copilot: Vendor = {
  vendor: "copilot",
  headless: headlessForm,
  screen: screenRule,
  command: "copilot",
  acp: { args: ["--acp"] },
  install: `Install it with: ${connection.install}`,
  passEnv: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"],
  newSession: "--session-id",
  lostSession: /No session, task, or name matched/i,
  readLimit: createLimitReader(
    /exceeded your [\w -]*(?:allowance|quota)/i,
    /(?:reached|hit) your [\w -]*usage limit/i,
  ),
  wire,
  // It drops servers that come in `session/new`, and takes those of its flag.
  acpWire: (launch) => ({ ...wire(launch), servers: [] }),
  tui: ({ model, resume, policy }) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(resume === undefined ? [] : ["--resume", resume]),
    ...allowances[policy],
  ],
};

function wire(launch: Launch): Wiring {
  const path = join(launch.folder, "copilot-mcp.json");
  const { command, args } = bridgeOf(launch);
  const server = { type: "local", command, args, tools: ["*"] };
  return {
    // Without the last it drops what a server says of itself, and with it who the agent is.
    args: [
      "--additional-mcp-config",
      `@${path}`,
      `--allow-tool=${serverName}`,
      "--allow-all-mcp-server-instructions",
    ],
    files: [{ path, text: JSON.stringify({ mcpServers: { [serverName]: server } }) }],
  };
}
