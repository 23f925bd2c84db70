import { join } from "node:path";
import type { Launch } from "../../runtime.js";
import { createLimitReader } from "../read-limit.js";
import { bridgeOf, serverName, type Vendor, type Wiring } from "../vendor.js";
import { connection } from "./connection.js";
import { headlessForm } from "./headless.js";
import { noSession, readSession, tellSession } from "./own-session.js";
import { screenRule } from "./screen.js";

export const droid: Vendor = {
  vendor: "droid",
  headless: headlessForm,
  screen: screenRule,
  command: "droid",
  acp: { args: ["exec", "--output-format", "acp"] },
  install: `Install it with: ${connection.install}`,
  passEnv: ["FACTORY_*"],
  lostSession: /session[^\n]* not found|(could not|failed to) (find|load)[^\n]* session/i,
  readLimit: createLimitReader(
    /Usage limit reached|reached its monthly[\w ]* usage limit/i,
    /exceeded the [\w-]+ usage quota|exceeded your current quota/i,
  ),
  findSession: ({ folder }) => readSession(folder),
  resumesLate: true,
  wire,
  // Over ACP it asks about every call that does not only read. Commands it shows in backticks, so none looks like this.
  // And it has no ear for additions to its system prompt.
  acpWire: (launch) => ({
    ...wire(launch),
    servers: [],
    ownTools: new RegExp(`^${serverName}___\\w+$`),
    ...(launch.instructions === undefined ? {} : { preface: launch.instructions }),
  }),
  tui: ({ resume, policy }) => [
    ...(resume === undefined ? [] : ["--resume", resume]),
    ...(policy === "allow-all" ? ["--auto", "high"] : []),
  ],
};

function wire(launch: Launch): Wiring {
  const path = join(launch.folder, "droid-settings.json");
  const { command, args } = bridgeOf(launch);
  const settings = {
    mcp: { mcpServers: { [serverName]: { type: "stdio", command, args, disabled: false } } },
    // Otherwise a tool that does not only read needs `--auto high`.
    mcpAutonomyOverrides: { [serverName]: { defaultLevel: "low" } },
    // Otherwise its first turn may run before the tools are there.
    blockOnMcpLoad: true,
    // Beside the hooks of the person.
    hooks: { SessionStart: [{ hooks: [{ type: "command", command: tellSession(launch.folder) }] }] },
  };
  const { instructions } = launch;
  return {
    env: {
      FACTORY_RUNTIME_SETTINGS_PATH: path,
      // It drops what a server of MCP says of itself.
      ...(instructions === undefined ? {} : { FACTORY_APPEND_SYSTEM_PROMPT: instructions }),
    },
    files: [{ path, text: JSON.stringify(settings) }, noSession(launch.folder)],
  };
}
