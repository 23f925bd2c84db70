import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineClient } from "./offline-client.js";

export const gemini: OfflineClient = {
  backend: "gemini",
  env: ({ modelUrl }) => ({
    GEMINI_API_KEY: "dummy",
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
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
  cannotAsk: [
    {
      runtime: "headless",
      told: ["--help"],
      lacks: /--permission-prompt|--input-format/,
      evidence:
        "`gemini --help` has no option by which a question could be answered without a screen: --approval-mode default asks on the screen only",
    },
  ],
};
