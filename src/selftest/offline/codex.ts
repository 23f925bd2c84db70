import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineClient, OfflineWorld } from "./offline-client.js";

const toml = (value: unknown) => JSON.stringify(value);

function mcpTables({ mcp }: OfflineWorld): string {
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

export const codex: OfflineClient = {
  backend: "codex",
  env: ({ home }) => ({ CODEX_HOME: join(home, ".codex"), SCRIPTED_KEY: "dummy" }),
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
  cannotAsk: [
    {
      runtime: "headless",
      told: ["exec", "--help"],
      lacks: /--ask-for-approval|--permission-prompt|--input-format/,
      evidence:
        "`codex exec --help` has no option by which a question could be answered, only --approve-for-me and --dangerously-bypass-approvals-and-sandbox",
    },
  ],
};
