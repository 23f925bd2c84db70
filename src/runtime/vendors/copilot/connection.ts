import { join } from "node:path";
import { type Connection, folderOf, plainEntry, readPlainEntry } from "../connection.js";
import { copilot } from "./client.js";

export const connection: Connection = {
  cli: copilot.cli,
  label: copilot.label,
  program: "copilot",
  install: "npm i -g @github/copilot",
  format: "json",
  servers: ["mcpServers"],
  files: {
    user: ({ env, home }) => [join(folderOf(env["COPILOT_HOME"], join(home, ".copilot")), "mcp-config.json")],
  },
  entry: (server) => ({ type: "local", ...plainEntry(server), tools: ["*"] }),
  settings: ["all tools"],
  readServer: readPlainEntry,
};
