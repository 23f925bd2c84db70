import { join } from "node:path";
import { type Connection, folderOf, plainEntry, readPlainEntry } from "../connection.js";
import { codex } from "./client.js";

/** Without `required` its first turn may run before the tools are there. */
export const settingsOfServer = {
  required: true,
  startup_timeout_sec: 20,
  default_tools_approval_mode: "approve",
};

/** Longer than the longest wait for a message; versions before 0.166 gave a call 60 s. */
const TOOL_SECONDS = 180;

export const connection: Connection = {
  cli: codex.cli,
  label: codex.label,
  program: "codex",
  install: "npm i -g @openai/codex",
  format: "toml",
  servers: ["mcp_servers"],
  files: {
    user: ({ env, home }) => [join(folderOf(env["CODEX_HOME"], join(home, ".codex")), "config.toml")],
    project: ({ cwd }) => [join(cwd, ".codex", "config.toml")],
  },
  // `codex mcp add` has no option for any of these settings.
  entry: (server) => ({ ...plainEntry(server), ...settingsOfServer, tool_timeout_sec: TOOL_SECONDS }),
  settings: ["required", "timeouts", "approved"],
  readServer: readPlainEntry,
};
