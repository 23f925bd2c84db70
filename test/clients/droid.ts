import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

/** It calls its maker for much; the model's server answers all of that with 404, which suffices. */
const env = ({ modelUrl }: ClientWorld) => ({
  FACTORY_API_KEY: "fk-dummy",
  FACTORY_API_BASE_URL: modelUrl,
  FACTORY_APP_BASE_URL: modelUrl,
  FACTORY_RELAY_BASE_URL: modelUrl,
  FACTORY_TELEMETRY_INGEST_BASE_URL: modelUrl,
});

const model = "custom:scripted-0";

function exec(world: ClientWorld, ...args: readonly string[]) {
  const tools = Object.keys(world.mcp).flatMap((name) => ["--add-tools", `MCP:${name}`]);
  return { argv: [installedProgram("droid"), "exec", "-m", model, ...args, ...tools], env: env(world) };
}

export const droid: Client = {
  name: "droid",
  backend: "droid",
  mcpName: /^factory-cli$/,
  programs: ["droid"],
  readsLate: true,
  hostedArgs: ["-m", model],
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
      sessionDefaultSettings: { model },
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
  headless: (world, prompt, resume) =>
    exec(world, "-o", "json", ...(resume === undefined ? [] : ["-s", resume]), prompt),
  tui: (world) => ({ argv: [installedProgram("droid")], env: env(world) }),
  acp: (world) => exec(world, "--output-format", "acp"),
  readRun(stdout) {
    const last = jsonObjectsIn(stdout).at(-1);
    return { session: stringAt(last, "session_id"), text: stringAt(last, "result") ?? "" };
  },
};
