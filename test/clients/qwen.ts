import { qwen as offline } from "../../src/selftest/offline/qwen.js";
import type { Client } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const { env } = offline;

export const qwen: Client = {
  ...offline,
  name: "qwen",
  mcpName: /^qwen-cli-mcp-client/,
  programs: ["qwen"],
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
