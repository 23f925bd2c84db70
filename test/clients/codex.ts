import { codex as offline } from "../../src/selftest/offline/codex.js";
import type { Client } from "./client.js";
import { installedProgram } from "./installed.js";
import { jsonObjectsIn, stringAt } from "./json-output.js";

const { env } = offline;

export const codex: Client = {
  ...offline,
  name: "codex",
  mcpName: /^codex-mcp-client$/,
  programs: ["codex", "codex-acp"],
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
