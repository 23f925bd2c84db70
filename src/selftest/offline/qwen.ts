import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineClient } from "./offline-client.js";

export const qwen: OfflineClient = {
  backend: "qwen",
  env: ({ modelUrl }) => ({
    OPENAI_API_KEY: "dummy",
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: "scripted",
  }),
  setUp(world) {
    const folder = join(world.home, ".qwen");
    mkdirSync(folder, { recursive: true });
    const settings = {
      security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      memory: { enableManagedAutoMemory: false },
      // Otherwise it hides tools behind a search, and lets a model decide what needs permission.
      tools: { toolSearch: { enabled: false }, approvalMode: "default" },
      mcpServers: Object.fromEntries(
        Object.entries(world.mcp).map(([name, server]) => [
          name,
          { ...server, trust: true, alwaysLoadTools: true },
        ]),
      ),
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  },
};
