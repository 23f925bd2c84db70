import { gemini as offline } from "../../src/selftest/offline/gemini.js";
import type { Client } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const { env } = offline;

export const gemini: Client = {
  ...offline,
  name: "gemini",
  mcpName: /^gemini-cli-mcp-client$/,
  programs: ["gemini"],
  headless: (world, prompt, resume) => ({
    argv: [
      installedProgram("gemini"),
      "-p",
      prompt,
      "--output-format",
      "json",
      ...(resume === undefined ? [] : ["--resume", resume]),
    ],
    env: env(world),
  }),
  tui: (world) => ({ argv: [installedProgram("gemini")], env: env(world) }),
  acp: (world) => ({ argv: [installedProgram("gemini"), "--acp"], env: env(world) }),
  readRun(stdout) {
    const last = jsonObjectsIn(stdout).at(-1);
    return { session: stringAt(last, "session_id"), text: stringAt(last, "response") ?? "" };
  },
};
