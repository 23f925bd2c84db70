import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineClient } from "./offline-client.js";

export const droidModel = "custom:scripted-0";

export const droid: OfflineClient = {
  backend: "droid",
  hostedArgs: ["-m", droidModel],
  // It calls its maker for much; the model's server answers all of that with 404, which suffices.
  env: ({ modelUrl }) => ({
    FACTORY_API_KEY: "fk-dummy",
    FACTORY_API_BASE_URL: modelUrl,
    FACTORY_APP_BASE_URL: modelUrl,
    FACTORY_RELAY_BASE_URL: modelUrl,
    FACTORY_TELEMETRY_INGEST_BASE_URL: modelUrl,
  }),
  setUp(world) {
    const folder = join(world.home, ".factory");
    mkdirSync(folder, { recursive: true });
    const settings = {
      customModels: [
        {
          model: "scripted",
          displayName: "scripted",
          baseUrl: `${world.modelUrl}/v1`,
          apiKey: "dummy",
          provider: "generic-chat-completion-api",
          maxOutputTokens: 8192,
        },
      ],
      sessionDefaultSettings: { model: droidModel },
      cloudSessionSync: false,
      // Otherwise its screen begins with a question.
      trustedFolders: { [world.cwd]: { trustedAt: "2026-01-01T00:00:00.000Z" } },
      // Otherwise a tool that says it is not read-only needs `--auto high`.
      mcpAutonomyOverrides: Object.fromEntries(
        Object.keys(world.mcp).map((name) => [name, { defaultLevel: "low" }]),
      ),
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
    const mcpServers = Object.fromEntries(
      Object.entries(world.mcp).map(([name, server]) => [
        name,
        { type: "stdio", disabled: false, ...server },
      ]),
    );
    writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  },
};
