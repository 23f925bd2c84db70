import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const env = ({ home }: ClientWorld) => ({ CODEX_HOME: join(home, ".codex"), SCRIPTED_KEY: "dummy" });

const toml = (value: unknown) => JSON.stringify(value);

function mcpTables({ mcp }: ClientWorld): string {
  return Object.entries(mcp)
    .map(([name, { command, args, env: own = {} }]) =>
      [
        `[mcp_servers.${name}]`,
        `command = ${toml(command)}`,
        `args = ${toml(args)}`,
        // Without it the first turn may run before the server is there.
        "required = true",
        "startup_timeout_sec = 20",
        'default_tools_approval_mode = "approve"',
        `[mcp_servers.${name}.env]`,
        ...Object.entries(own).map(([key, value]) => `${key} = ${toml(value)}`),
      ].join("\n"),
    )
    .join("\n\n");
}

export const codex: Client = {
  name: "codex",
  backend: "codex",
  mcpName: /^codex-mcp-client$/,
  programs: ["codex", "codex-acp"],
  setUp(world) {
    const folder = join(world.home, ".codex");
    mkdirSync(folder, { recursive: true });
    const config = `
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = ${toml(`${world.modelUrl}/v1`)}
wire_api = "responses"
env_key = "SCRIPTED_KEY"
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects.${toml(world.cwd)}]
trust_level = "trusted"

${mcpTables(world)}
`;
    writeFileSync(join(folder, "config.toml"), config);
  },
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("codex"),
      "exec",
      "--json",
      "--skip-git-repo-check",
      ...(resume === undefined ? [] : ["resume", resume]),
      prompt,
    ],
    env: env(world),
  }),
  tui: (world) => ({ argv: [installedProgram("codex")], env: env(world) }),
  acp: (world) => ({ argv: [installedProgram("codex-acp")], env: env(world) }),
  cannot: [
    {
      runtime: "headless",
      behaviour: "asks",
      told: ["exec", "--help"],
      lacks: /--ask-for-approval|--permission-prompt|--input-format/,
      evidence:
        "`codex exec --help` has no option by which a question could be answered, only --approve-for-me and --dangerously-bypass-approvals-and-sandbox",
    },
  ],
  readRun(stdout) {
    const events = jsonObjectsIn(stdout);
    const started = events.find(({ type }) => type === "thread.started");
    const messages = events.filter(({ item }) => stringAt(item, "type") === "agent_message");
    return {
      session: stringAt(started, "thread_id"),
      text: messages.map(({ item }) => stringAt(item, "text") ?? "").join("\n"),
    };
  },
};
