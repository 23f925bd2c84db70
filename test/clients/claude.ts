import { claudeCode, mcpFile } from "../../src/selftest/offline/claude-code.js";
import type { Client, ClientWorld } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const { env } = claudeCode;

function mcpFlags(world: ClientWorld): string[] {
  const tools = Object.keys(world.mcp).map((name) => `mcp__${name}`);
  const allowed = tools.length === 0 ? [] : ["--allowedTools", tools.join(",")];
  return ["--mcp-config", mcpFile(world), "--strict-mcp-config", ...allowed];
}

export const claude: Client = {
  ...claudeCode,
  name: "claude",
  mcpName: /^claude-code$/,
  programs: ["claude", "claude-acp"],
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
  // Who pays by the request has no limit.
  subscribed(env) {
    const { ANTHROPIC_API_KEY: _, ...rest } = env;
    return { ...rest, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dummy" };
  },
  readRun(stdout) {
    const last = jsonObjectsIn(stdout).at(-1);
    return { session: stringAt(last, "session_id"), text: stringAt(last, "result") ?? "" };
  },
};
