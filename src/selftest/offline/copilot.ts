import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineClient } from "./offline-client.js";

export const copilot: OfflineClient = {
  backend: "copilot",
  env: ({ modelUrl, home, cache = join(home, ".cache") }) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "scripted",
    // It unpacks itself, 235 MB, once for each of these.
    COPILOT_PKG_CACHE_HOME: cache,
  }),
  setUp(world) {
    const folder = join(world.home, ".copilot");
    mkdirSync(folder, { recursive: true });
    const write = (file: string, value: unknown) => writeFileSync(join(folder, file), JSON.stringify(value));
    write("settings.json", { banner: "never", autoUpdate: false, showTipsOnStartup: false });
    // Otherwise its screen begins with a question.
    write("config.json", { trustedFolders: [world.cwd] });
    const mcpServers = Object.fromEntries(
      Object.entries(world.mcp).map(([name, server]) => [name, { type: "local", tools: ["*"], ...server }]),
    );
    write("mcp-config.json", { mcpServers });
  },
  cannotAsk: [
    {
      runtime: "headless",
      told: ["--help"],
      lacks: /--permission-prompt|--input-format/,
      evidence:
        "`copilot --help` has no option by which a question could be answered without a screen; what is not allowed is refused",
    },
  ],
};
