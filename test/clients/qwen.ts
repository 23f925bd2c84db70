import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const env = ({ modelUrl }: ClientWorld) => ({
  OPENAI_API_KEY: "dummy",
  OPENAI_BASE_URL: `${modelUrl}/v1`,
  OPENAI_MODEL: "scripted",
});

export const qwen: Client = {
  name: "qwen",
  backend: "qwen",
  mcpName: /^qwen-cli-mcp-client/,
  programs: ["qwen"],
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
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("qwen"),
      "-p",
      prompt,
      "--output-format",
      "stream-json",
      ...(resume === undefined ? [] : ["--resume", resume]),
    ],
    env: env(world),
  }),
  tui: (world) => ({ argv: [installedProgram("qwen")], env: env(world) }),
  acp: (world) => ({ argv: [installedProgram("qwen"), "--acp"], env: env(world) }),
  readRun(stdout) {
    const result = jsonObjectsIn(stdout).find(({ type }) => type === "result");
    return { session: stringAt(result, "session_id"), text: stringAt(result, "result") ?? "" };
  },
};
