import { join } from "node:path";
import { type Connection, folderOf, plainEntry, readPlainEntry } from "../connection.js";
import { gemini } from "./client.js";

export const connection: Connection = {
  cli: gemini.cli,
  label: gemini.label,
  program: "gemini",
  install: "npm i -g @google/gemini-cli",
  format: "json",
  servers: ["mcpServers"],
  files: {
    user: ({ env, home }) => [join(folderOf(env["GEMINI_CLI_HOME"], home), ".gemini", "settings.json")],
    project: ({ cwd }) => [join(cwd, ".gemini", "settings.json")],
  },
  // Without `trust` it asks about every call.
  entry: (server) => ({ ...plainEntry(server), trust: true }),
  settings: ["trust"],
  readServer: readPlainEntry,
};
