import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const env = ({ modelUrl }: ClientWorld) => ({
  GEMINI_API_KEY: "dummy",
  GOOGLE_GEMINI_BASE_URL: modelUrl,
  GEMINI_CLI_TRUST_WORKSPACE: "true",
});

export const gemini: Client = {
  name: "gemini",
  backend: "gemini",
  mcpName: /^gemini-cli-mcp-client$/,
  programs: ["gemini"],
  setUp(world) {
    const folder = join(world.home, ".gemini");
    mkdirSync(folder, { recursive: true });
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      mcpServers: Object.fromEntries(
        Object.entries(world.mcp).map(([name, server]) => [name, { ...server, trust: true }]),
      ),
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  },
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("gemini"),
      "-p",
      prompt,
      "--output-format",
      "json",
      ...(resume === undefined ? [] : ["--resume", resume]),
    ],
    env: env(world),
  }),
  tui: (world) => ({ argv: [installedProgram("gemini")], env: env(world) }),
  acp: (world) => ({ argv: [installedProgram("gemini"), "--acp"], env: env(world) }),
  cannot: [
    {
      runtime: "headless",
      behaviour: "asks",
      told: ["--help"],
      lacks: /--permission-prompt|--input-format/,
      evidence:
        "`gemini --help` has no option by which a question could be answered without a screen: --approval-mode default asks on the screen only",
    },
  ],
  readRun(stdout) {
    const last = jsonObjectsIn(stdout).at(-1);
    return { session: stringAt(last, "session_id"), text: stringAt(last, "response") ?? "" };
  },
};
