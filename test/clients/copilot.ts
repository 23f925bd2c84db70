import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientsFolder } from "../../scripts/client-programs.mjs";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const env = ({ modelUrl }: ClientWorld) => ({
  COPILOT_OFFLINE: "true",
  COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
  COPILOT_PROVIDER_API_KEY: "dummy",
  COPILOT_MODEL: "scripted",
  // It unpacks itself, 235 MB, once for each of these.
  COPILOT_PKG_CACHE_HOME: join(clientsFolder(), "copilot", "unpacked"),
});

/** One argument each: those of the flag for tools go on to the next flag. */
const allowed = ({ mcp }: ClientWorld) => Object.keys(mcp).map((name) => `--allow-tool=${name}`);

export const copilot: Client = {
  name: "copilot",
  backend: "copilot",
  mcpName: /^copilot-cli$/,
  programs: ["copilot"],
  readsLate: true,
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
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("copilot"),
      "--output-format",
      "json",
      ...allowed(world),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      "-p",
      prompt,
    ],
    env: env(world),
  }),
  tui: (world) => ({ argv: [installedProgram("copilot"), ...allowed(world)], env: env(world) }),
  acp: (world) => ({ argv: [installedProgram("copilot"), "--acp", ...allowed(world)], env: env(world) }),
  cannot: [
    {
      runtime: "headless",
      behaviour: "asks",
      told: ["--help"],
      lacks: /--permission-prompt|--input-format/,
      evidence:
        "`copilot --help` has no option by which a question could be answered without a screen; what is not allowed is refused",
    },
  ],
  readRun(stdout) {
    const events = jsonObjectsIn(stdout);
    const messages = events.filter(({ type }) => type === "assistant.message");
    return {
      session: stringAt(events.at(-1), "sessionId"),
      text: messages.map(({ data }) => stringAt(data, "content") ?? "").join("\n"),
    };
  },
};
