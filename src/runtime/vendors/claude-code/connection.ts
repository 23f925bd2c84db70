import { join } from "node:path";
import {
  type ConfigWorld,
  type Connection,
  folderOf,
  plainEntry,
  readPlainEntry,
  type ServerCommand,
} from "../connection.js";
import { serverName } from "../vendor.js";
import { claudeCode } from "./client.js";

/** `CLAUDE_CONFIG_DIR` moves all of its files, and the first out of the home folder. */
const settingsFolder = ({ env, home }: ConfigWorld) =>
  folderOf(env["CLAUDE_CONFIG_DIR"], join(home, ".claude"));

// Without `alwaysLoad` it hides the tools behind a search, and an agent does not know that it can be written to.
const entry = (server: ServerCommand) => ({ type: "stdio", ...plainEntry(server), alwaysLoad: true });

export const connection: Connection = {
  cli: claudeCode.cli,
  label: claudeCode.label,
  program: "claude",
  install: "npm i -g @anthropic-ai/claude-code",
  format: "json",
  servers: ["mcpServers"],
  files: {
    user: ({ env, home }) => [join(folderOf(env["CLAUDE_CONFIG_DIR"], home), ".claude.json")],
    project: ({ cwd }) => [join(cwd, ".mcp.json")],
  },
  entry,
  settings: ["alwaysLoad"],
  readServer: readPlainEntry,
  // Its sessions rewrite this file all the time; its own command keeps out of their way.
  register: (server) => ["mcp", "add-json", "--scope", "user", serverName, JSON.stringify(entry(server))],
  // A project's own settings are committed; these are not.
  hooksFile: (world, scope) =>
    scope === "user"
      ? join(settingsFolder(world), "settings.json")
      : join(world.cwd, ".claude", "settings.local.json"),
};
