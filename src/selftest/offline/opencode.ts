import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineClient, OfflineWorld } from "./offline-client.js";

export const opencode: OfflineClient = {
  backend: "opencode",
  // It would fetch a list of models, plug-ins and itself anew.
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  }),
  setUp(world) {
    const folder = join(world.home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    const write = (file: string, value: unknown) => writeFileSync(join(folder, file), JSON.stringify(value));
    write("opencode.json", configOf(world));
    // As in a home that it was used in before: otherwise it installs this package at its start.
    const name = "@opencode-ai/plugin";
    const { version } = world;
    const dependencies = { [name]: version };
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
    write(join("node_modules", name, "package.json"), { name, version });
    write("package.json", { dependencies });
    write("package-lock.json", { lockfileVersion: 3, packages: { "": { dependencies } } });
  },
  cannotAsk: [
    {
      runtime: "headless",
      told: ["run", "--help"],
      lacks: /--permission-prompt|--input-format/,
      evidence: "`opencode run --help` has no option by which a question could be answered, only --auto",
    },
  ],
};

function configOf({ modelUrl, mcp }: OfflineWorld) {
  const scripted = {
    npm: "@ai-sdk/openai-compatible",
    name: "scripted",
    options: { baseURL: `${modelUrl}/v1`, apiKey: "dummy" },
    models: { scripted: { name: "scripted", limit: { context: 200_000, output: 8192 } } },
  };
  return {
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    enabled_providers: ["scripted"],
    share: "disabled",
    provider: { scripted },
    mcp: Object.fromEntries(
      Object.entries(mcp).map(([name, { command, args, env: environment = {} }]) => [
        name,
        { type: "local", command: [command, ...args], environment, enabled: true },
      ]),
    ),
  };
}
