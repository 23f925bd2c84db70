import { join } from "node:path";
import { type Connection, plainEntry, readPlainEntry } from "../connection.js";
import { qwen } from "./client.js";

export const connection: Connection = {
  cli: qwen.cli,
  label: qwen.label,
  program: "qwen",
  install: "npm i -g @qwen-code/qwen-code",
  format: "json",
  servers: ["mcpServers"],
  files: {
    user: ({ home }) => [join(home, ".qwen", "settings.json")],
    project: ({ cwd }) => [join(cwd, ".qwen", "settings.json")],
  },
  // Without `alwaysLoadTools`, for which `qwen mcp add` has no option, it hides the tools behind a search.
  entry: (server) => ({ ...plainEntry(server), trust: true, alwaysLoadTools: true }),
  settings: ["trust", "alwaysLoadTools"],
  readServer: readPlainEntry,
};
