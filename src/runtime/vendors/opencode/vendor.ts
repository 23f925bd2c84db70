import { pathToFileURL } from "node:url";
import type { Launch } from "../../runtime.js";
import { createLimitReader } from "../read-limit.js";
import { bridgeOf, serverName, type Vendor, type Wiring } from "../vendor.js";
import { connection } from "./connection.js";
import { headlessForm } from "./headless.js";
import { readSession, sessionPlugin } from "./own-session.js";
import { screenRule } from "./screen.js";

export const opencode: Vendor = {
  vendor: "opencode",
  headless: headlessForm,
  screen: screenRule,
  command: "opencode",
  acp: { args: ["acp"] },
  install: `Install it with: ${connection.install}`,
  passEnv: ["OPENCODE_*"],
  lostSession: /session not found/i,
  readLimit: createLimitReader(
    /usage limit (?:has been )?reached/i,
    /exceeded the [\w-]+ usage quota|exceeded your current quota|hit your usage limit/i,
  ),
  findSession: ({ folder }) => readSession(folder),
  wire(launch) {
    const plugin = sessionPlugin(launch);
    if (plugin === undefined) return configure(launch);
    return { ...configure(launch, { plugin: [pathToFileURL(plugin.path).href] }), files: [plugin] };
  },
  acpWire: (launch) => ({ ...configure(launch), servers: [] }),
  tui: ({ model, resume }) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(resume === undefined ? [] : ["--session", resume]),
  ],
};

/** Merged over the person's own configuration; plug-ins are added to theirs. */
function configure(launch: Launch, more: Readonly<Record<string, unknown>> = {}): Wiring {
  const { command, args } = bridgeOf(launch);
  const policy = launch.backend.permissions;
  const rule = policy === "allow-all" ? "allow" : policy === "deny" ? "deny" : "ask";
  const config = {
    mcp: { [serverName]: { type: "local", command: [command, ...args], enabled: true } },
    ...more,
    permission: { edit: rule, bash: rule, webfetch: rule, [`${serverName}_*`]: "allow" },
  };
  return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } };
}
