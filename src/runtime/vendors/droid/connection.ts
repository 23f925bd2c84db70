import { join } from "node:path";
import { type Connection, plainEntry, readPlainEntry } from "../connection.js";
import { droid } from "./client.js";

export const connection: Connection = {
  cli: droid.cli,
  label: droid.label,
  program: "droid",
  install: "npm i -g droid",
  format: "json",
  servers: ["mcpServers"],
  files: {
    user: ({ home }) => [join(home, ".factory", "mcp.json")],
    project: ({ cwd }) => [join(cwd, ".factory", "mcp.json")],
  },
  entry: (server) => ({ type: "stdio", ...plainEntry(server) }),
  settings: [],
  readServer: readPlainEntry,
};
