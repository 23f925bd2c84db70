import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineClient, OfflineWorld } from "./offline-client.js";

const apiKey = "sk-ant-scripted-0123456789-0123456789";
export const mcpFile = ({ home }: OfflineWorld) => join(home, "mcp.json");

export const claudeCode: OfflineClient = {
  backend: "claude-code",
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: apiKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
  }),
  setUp(world) {
    mkdirSync(join(world.home, ".claude"), { recursive: true });
    const settings = {
      hasCompletedOnboarding: true,
      // With an empty home it asks whether the key may be used, and whether the folder is trusted.
      customApiKeyResponses: { approved: [apiKey.slice(-20)], rejected: [] },
      // With a home that it was started in before it offers another way to draw its screen.
      fullscreenUpsellSeenCount: 100,
      projects: { [world.cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    writeFileSync(join(world.home, ".claude.json"), JSON.stringify(settings));
    // Otherwise it hides the tools of MCP servers behind a search.
    const mcpServers = Object.fromEntries(
      Object.entries(world.mcp).map(([name, server]) => [
        name,
        { type: "stdio", alwaysLoad: true, ...server },
      ]),
    );
    writeFileSync(mcpFile(world), JSON.stringify({ mcpServers }));
  },
};
