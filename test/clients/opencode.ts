import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientPrograms } from "../../scripts/client-programs.mjs";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

/** It would fetch a list of models, plug-ins and itself anew. */
const env = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
};

export const opencode: Client = {
  name: "opencode",
  backend: "opencode",
  mcpName: /^opencode$/,
  programs: ["opencode"],
  readsLate: true,
  setUp(world) {
    const folder = join(world.home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    const write = (file: string, value: unknown) => writeFileSync(join(folder, file), JSON.stringify(value));
    write("opencode.json", configOf(world));
    // As in a home that it was used in before: otherwise it installs this package at its start.
    const name = "@opencode-ai/plugin";
    const { version } = clientPrograms.find((program) => program.name === "opencode") ?? {};
    const dependencies = { [name]: version };
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
    write(join("node_modules", name, "package.json"), { name, version });
    write("package.json", { dependencies });
    write("package-lock.json", { lockfileVersion: 3, packages: { "": { dependencies } } });
  },
  headless: (_world, prompt, resume) => ({
    argv: [
      installedProgram("opencode"),
      "run",
      "--format",
      "json",
      ...(resume === undefined ? [] : ["--session", resume]),
    ],
    env,
    // An argument with spaces reaches the model in quotation marks.
    stdin: prompt,
  }),
  tui: () => ({ argv: [installedProgram("opencode")], env }),
  acp: () => ({ argv: [installedProgram("opencode"), "acp"], env }),
  cannot: [
    {
      runtime: "headless",
      behaviour: "asks",
      told: ["run", "--help"],
      lacks: /--permission-prompt|--input-format/,
      evidence: "`opencode run --help` has no option by which a question could be answered, only --auto",
    },
  ],
  readRun(stdout) {
    const events = jsonObjectsIn(stdout);
    return {
      session: stringAt(events[0], "sessionID"),
      text: events.map((event) => stringAt(event, "part", "text") ?? "").join("\n"),
    };
  },
};

function configOf({ modelUrl, mcp }: ClientWorld) {
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
