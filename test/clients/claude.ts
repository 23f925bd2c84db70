import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const apiKey = "sk-ant-scripted-0123456789-0123456789";
const mcpFile = ({ home }: ClientWorld) => join(home, "mcp.json");

const env = ({ modelUrl }: ClientWorld) => ({
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: apiKey,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
});

function mcpFlags(world: ClientWorld): string[] {
  const tools = Object.keys(world.mcp).map((name) => `mcp__${name}`);
  const allowed = tools.length === 0 ? [] : ["--allowedTools", tools.join(",")];
  return ["--mcp-config", mcpFile(world), "--strict-mcp-config", ...allowed];
}

export const claude: Client = {
  name: "claude",
  backend: "claude-code",
  mcpName: /^claude-code$/,
  programs: ["claude", "claude-acp"],
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
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("claude"),
      "-p",
      prompt,
      "--output-format",
      "json",
      "--permission-mode",
      "default",
      ...mcpFlags(world),
      ...(resume === undefined ? [] : ["--resume", resume]),
    ],
    env: env(world),
  }),
  tui: (world) => ({
    argv: [installedProgram("claude"), "--permission-mode", "default", ...mcpFlags(world)],
    env: env(world),
  }),
  acp: (world) => ({
    argv: [installedProgram("claude-acp")],
    env: env(world),
  }),
  readRun(stdout) {
    const last = jsonObjectsIn(stdout).at(-1);
    return { session: stringAt(last, "session_id"), text: stringAt(last, "result") ?? "" };
  },
};
